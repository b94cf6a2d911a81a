import type { ToolCalls } from '../../model/tool-calls.ts';
import { callId } from '../../turns/call-id.ts';
import { WireNames } from '../wire-names.ts';

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64" */
const LONGEST = 64;
/** "Invalid 'input[2].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'" */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 53;

/** The names of tools in a request. */
export function toolNames(): WireNames {
  return new WireNames(
    (name) => NAME.test(name),
    (name, hash) => `${name.slice(0, KEPT).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`,
  );
}

/**
 * Gives the calls of a request their ids: each id is used once in all of it, since the API binds calls and answers
 * across turns ("No tool call found for function call output with call_id …").
 */
export class CallIds {
  readonly #used = new Set<string>();
  /** How often an id came that could not go out as it is. */
  readonly #uses = new Map<string, number>();
  readonly #made = new WireNames(
    () => false,
    (_, hash) => `call_${hash}`,
  );

  /** The ids of the calls of a turn, in their order. */
  of(calls: ToolCalls): string[] {
    return calls.map((call) => this.#next(callId(call)));
  }

  #next(own: string): string {
    let id = own;
    while (id.length > LONGEST || this.#used.has(id)) {
      const use = (this.#uses.get(own) ?? 0) + 1;
      this.#uses.set(own, use);
      id = this.#made.of(`${own}\u0000${use}`);
    }
    this.#used.add(id);
    return id;
  }
}
