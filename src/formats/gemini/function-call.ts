import { ToolCall } from '../../model/tool-call.ts';
import { isCallId } from '../../schema/ids.ts';
import { copyJson } from '../../schema/json.ts';
import { copyOf, type Fields, keptIn, keptOf, originOf, OWN, withKept } from './origin.ts';
import type { GeminiPart } from './wire.ts';

/**
 * A call as the wire spells it. Its arguments are always an object (`@google/genai`, FunctionCall): `{}` for those that
 * are none, which `isGood` tells; free text goes out as `input`.
 */
export function encodeCall(call: ToolCall, functionCall: Record<string, unknown>, isGood: boolean): GeminiPart {
  const kept = keptOf(call.origin);
  const { args, ...others } = keptIn(kept, 'functionCall');
  if (call.kind === 'custom') functionCall['args'] = { input: call.argsText };
  else if (args !== null || call.hasArgs()) functionCall['args'] = isGood ? copyOf(call.args) : {};
  return withKept({ functionCall }, kept && { ...kept, functionCall: others });
}

/** Whether an id came with the call from this wire; others are ours, and are not sent back. */
export function hasOwnId(call: ToolCall): boolean {
  return keptOf(call.origin) !== undefined && !call.idString().startsWith(MADE);
}

/** What the ids begin with that are made here, for calls that came without one. */
const MADE = 'gemini_';

/** A call of the wire. One without an id gets one made of `seed`. */
export function decodeCall({ functionCall, ...sides }: Fields, seed: string): ToolCall {
  const { id, name, args = null, ...others } = functionCall as Record<string, unknown>;
  if (args === null) others['args'] = null;
  return ToolCall.owning({
    id: givenId(id) ?? madeId(seed),
    name: typeof name === 'string' ? name : '',
    arguments: typeof args === 'string' ? args : JSON.stringify(copyJson(args ?? {}, 'args')),
    _origin: originOf({ ...sides, functionCall: others }) ?? OWN,
  });
}

/** The id of a call that came without one. */
export function madeId(seed: string): string {
  return MADE + seed;
}

/** An id that says something; undefined for any other. */
export function givenId(id: unknown): string | undefined {
  return isCallId(id) && id.trim() !== '' ? id : undefined;
}
