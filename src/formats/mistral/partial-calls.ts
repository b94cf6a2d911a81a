import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord } from '../../schema/json.ts';
import { partialCall } from '../partial-call.ts';
import { TextSoFar } from '../text-so-far.ts';
import type { Fields } from './origin.ts';

/** A tool call while its fragments arrive. */
interface PartialCall {
  id: string;
  name: string;
  readonly input: TextSoFar;
  /** The arguments, where they came as an object. */
  object?: Fields;
  /** What else was told of it. */
  others: Fields;
  /** What is shown of it, until the next fragment. */
  shown?: ToolCall | undefined;
}

/** The tool calls of a message, put together from fragments: usually each comes whole. */
export class PartialCalls {
  readonly #calls: PartialCall[] = [];
  /** The calls by index and id, and the last one at each index. */
  readonly #known = new Map<unknown, PartialCall>();
  #shown: ToolCalls | undefined;

  /** Takes a fragment. Ids and names come whole: they are set, not joined. */
  add(fragment: unknown): void {
    const { id: given, function: inner, ...others }: Fields = isRecord(fragment) ? fragment : {};
    if (!isRecord(inner)) return;
    // It is the package's word for none.
    const id = given === 'null' ? '' : textOf(given);
    const call = this.#callOf(others['index'], id, textOf(inner['name']));
    call.id ||= id;
    call.name = textOf(inner['name']) || call.name;
    call.others = { ...call.others, ...others };
    const { arguments: args } = inner;
    if (isRecord(args)) call.object = args;
    call.input.add(isRecord(args) ? JSON.stringify(args) : textOf(args));
    call.shown = this.#shown = undefined;
  }

  /**
   * The call that a fragment goes on with: the one with its id, or the last one at its index, or of all where that is
   * left out. A new id means a new call, also at an index that is known.
   */
  #callOf(index: unknown, id: string, name: string): PartialCall {
    const last = index === undefined ? this.#calls.at(-1) : this.#known.get(index);
    const key = `${String(index)} ${id}`;
    const named = id !== '' && last?.id !== '' ? this.#known.get(key) : last;
    if (named !== undefined && (id !== '' || !isAnother(named, name))) return named;
    const call: PartialCall = { id, name: '', input: new TextSoFar(), others: {} };
    this.#calls.push(call);
    this.#known.set(index, call).set(key, call);
    return call;
  }

  /** The calls, as far as they came. */
  soFar(): ToolCalls {
    return (this.#shown ??= ToolCalls.owning(this.#calls.flatMap((call) => (call.shown ??= callSoFar(call)) ?? [])));
  }

  /** The calls as the wire has them without a stream. */
  whole(): Fields[] {
    return this.#calls.map(({ id, name, input, object, others }) => ({
      ...others,
      ...(id !== '' && { id }),
      function: { name, arguments: object ?? input.whole() },
    }));
  }
}

/** Whether a fragment without an id begins another call: it names a tool, and the call before it is whole. */
function isAnother(before: PartialCall, name: string): boolean {
  return name !== '' && before.name !== '' && (name !== before.name || before.input.isObject());
}

function callSoFar({ id, name, input }: PartialCall): ToolCall | undefined {
  return partialCall(id, name, input.soFar());
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
