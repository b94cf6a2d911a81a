import type { ToolCalls } from '../../model/tool-calls.ts';
import { callId } from '../../turns/call-id.ts';
import { WireNames } from '../wire-names.ts';
import { LONGEST } from './item-ids.ts';

/** "Invalid 'input[2].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'" */
export const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
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
 * Gives the calls of a turn their ids, in their order: each id is used once in all of it, since the API binds calls and answers
 * across turns ("No tool call found for function call output with call_id …").
 */
export function callIds(): (calls: ToolCalls) => string[] {
  const uses = new Map<string, number>();
  // No id holds a control character: what has one is a further use of it.
  const ids = new WireNames(
    (id) => id.length <= LONGEST && !id.includes('\u0000'),
    (_, hash) => `call_${hash}`,
  );
  return (calls) =>
    calls.map((call) => {
      const own = callId(call);
      const use = (uses.get(own) ?? 0) + 1;
      uses.set(own, use);
      return ids.of(use === 1 ? own : `${own}\u0000${use}`);
    });
}
