import type { ToolCall } from '../../model/tool-call.ts';
import { WireNames } from '../wire-names.ts';

/** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" is what the API answers to any other. */
const WORD = /^[\w-]+$/;
/** "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"; older models take 64. */
export const TOOL_NAME: RegExp = /^[\w-]{1,128}$/;
/** As much of a name is kept as leaves room for the hash where 64 characters are the limit. */
const KEPT = 53;

/** Gives the ids and names of a request's tool calls, as the wire takes them: an id is used once in all of it. */
export class CallNames {
  readonly #ids = new WireNames(
    (id) => WORD.test(id),
    (_, hash) => `toolu_${hash}`,
  );
  readonly #names = new WireNames(
    (name) => TOOL_NAME.test(name),
    (name, hash) => `${name.slice(0, KEPT).replaceAll(/[^\w-]/g, '_')}_${hash}`,
  );
  readonly #uses = new Map<string, number>();
  /** The ids of this turn that go out as others. */
  readonly #turn = new Map<string, string>();

  /** Begins a turn: the answers that follow are to its calls. */
  startTurn(): void {
    this.#turn.clear();
  }

  /** The id of a call of this turn. The same one in a later turn goes out as another: no id holds a control character. */
  idOf(call: ToolCall): string {
    const own = call.idString();
    const use = (this.#uses.get(own) ?? 0) + 1;
    this.#uses.set(own, use);
    const id = this.#ids.of(use === 1 ? own : `${own}\u0000${use}`);
    if (id !== own) this.#turn.set(own, id);
    return id;
  }

  /** The name of a call's tool. */
  nameOf(call: ToolCall): string {
    return this.#names.of(call.name);
  }

  /** The id under which the call of this turn went out that has this one. */
  answered(id: string): string {
    return this.#turn.get(id) ?? id;
  }
}
