import type { ToolCall } from '../../model/tool-call.ts';
import { WireNames } from '../wire-names.ts';

/** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" is what the API answers to any other. */
const WORD = /^[a-zA-Z0-9_-]+$/;
/** "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"; older models take 64. */
const LONGEST_NAME = 128;
/** As much of a name is kept as leaves room for the hash where 64 characters are the limit. */
const KEPT = 53;

/** How a call goes out: its id and the name of its tool. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
}

/** Gives the ids and names of a request's tool calls, as the wire takes them: an id is used once in all of it. */
export interface CallNames {
  /** Begins a turn: the answers that follow are to its calls. */
  startTurn(): void;
  /** How a call of this turn goes out. */
  call(call: ToolCall): WireCall;
  /** The id under which the call of this turn went out that has this one. */
  answered(id: string): string;
}

/** The names of a new request. The same id in a later turn gets another: no id holds a control character. */
export function callNames(): CallNames {
  const ids = new WireNames(
    (id) => WORD.test(id),
    (_, hash) => `toolu_${hash}`,
  );
  const names = new WireNames(
    (name) => WORD.test(name) && name.length <= LONGEST_NAME,
    (name, hash) => `${name.slice(0, KEPT).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`,
  );
  const uses = new Map<string, number>();
  const turn = new Map<string, string>();
  return {
    startTurn: () => turn.clear(),
    call(call) {
      const own = call.idString();
      const use = (uses.get(own) ?? 0) + 1;
      uses.set(own, use);
      const id = ids.of(use === 1 ? own : `${own}\u0000${use}`);
      turn.set(own, id);
      return { id, name: names.of(call.name) };
    },
    answered: (id) => turn.get(id) ?? id,
  };
}
