import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord } from '../../schema/json.ts';
import { partialCall } from '../partial-call.ts';
import { TextSoFar } from '../text-so-far.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A tool call while its fragments arrive. */
interface PartialCall {
  readonly kind: 'function' | 'custom';
  id: string;
  name: string;
  /** The arguments, or the free text of a custom tool. */
  readonly input: TextSoFar;
  /** What else was told. */
  others: Fields;
}

/** The tool calls of a message, put together from fragments. */
export class PartialCalls {
  readonly #calls: PartialCall[] = [];
  readonly #byIndex = new Map<unknown, PartialCall>();
  readonly #byId = new Map<string, PartialCall>();

  /** Takes a fragment. Names come whole, and from some servers with each fragment: they are set, not joined. */
  add(fragment: unknown): void {
    if (!isRecord(fragment)) return;
    const { index, id, type, function: called, custom, ...others } = fragment;
    const inner: Fields = [called, custom].find(isRecord) ?? {};
    const call = this.#callOf(index, textOf(id), inner, isRecord(custom) ? 'custom' : 'function');
    call.id = textOf(id) || call.id;
    if (call.id !== '') this.#byId.set(call.id, call);
    call.name = textOf(inner['name']) || call.name;
    call.input.add(inputOf(inner['arguments'] ?? inner['input']));
    call.others = { ...call.others, ...others, ...(typeof type === 'string' && { type }) };
  }

  /**
   * The call that a fragment goes on with: the one at its index, or the last one, where servers leave the index out. A
   * new id means a new call, also at an index that is known.
   */
  #callOf(index: unknown, id: string, inner: Fields, kind: PartialCall['kind']): PartialCall {
    const isIndexed = typeof index === 'number';
    const known = isIndexed ? this.#byIndex.get(index) : (this.#byId.get(id) ?? this.#calls.at(-1));
    const goesOn = known !== undefined && (id === '' || known.id === '' || known.id === id);
    if (goesOn && (isIndexed || id !== '' || !isAnother(known, inner))) return known;
    const call: PartialCall = { kind, id, name: '', input: new TextSoFar(), others: {} };
    this.#calls.push(call);
    if (isIndexed) this.#byIndex.set(index, call);
    return call;
  }

  /** The calls, as far as they came. */
  soFar(): ToolCall[] {
    return this.#calls.flatMap((call) => callSoFar(call) ?? []);
  }

  /** The calls as the wire has them without a stream. */
  whole(): Fields[] {
    return this.#calls.map(({ kind, id, name, input, others }) => ({
      ...others,
      ...(id !== '' && { id }),
      [kind]: { name, [kind === 'custom' ? 'input' : 'arguments']: input.whole() },
    }));
  }
}

/** Whether a fragment that has neither index nor id begins another call: it names a tool, and the last call is whole. */
function isAnother({ name, input }: PartialCall, inner: Fields): boolean {
  const given = textOf(inner['name']);
  return given !== '' && name !== '' && (given !== name || input.isObject());
}

function callSoFar({ kind, id, name, input }: PartialCall): ToolCall | undefined {
  return partialCall(id, name, input.soFar(), kind);
}

/** Arguments as text; some servers send them as an object. */
function inputOf(input: unknown): string {
  return isRecord(input) ? JSON.stringify(input) : textOf(input);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
