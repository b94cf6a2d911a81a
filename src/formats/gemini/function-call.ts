import { parseJsonText } from '../../internal/json-text.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { isCallId } from '../../schema/ids.ts';
import { type Fields, keptIn, keptOf, originOf, withKept } from './origin.ts';
import type { GeminiPart } from './wire.ts';

/**
 * A call as the wire spells it. Its arguments are always an object (`@google/genai`, FunctionCall): `{}` for those that
 * are none, which `isGood` tells; free text goes out as `input`.
 */
export function encodeCall(call: ToolCall, named: Fields, isGood: boolean): GeminiPart {
  const kept = keptOf(call.origin);
  const { id: _id, args: given, ...others } = keptIn(kept, 'functionCall');
  const isOmitted = given === null && !call.hasArgs();
  const args = call.kind === 'custom' ? { input: call.argsText } : isGood ? parseJsonText(call.argsText) : {};
  return withKept({ functionCall: { ...named, ...(!isOmitted && { args }) } }, { ...kept, functionCall: others });
}

/** Whether an id came with the call from this wire; others are ours, and are not sent back. */
export function hasOwnId({ origin }: ToolCall): boolean {
  const kept = keptOf(origin);
  return kept !== undefined && keptIn(kept, 'functionCall')['id'] !== null;
}

/** A call of the wire. One without an id gets `newId`, and remembers that this is not its own. */
export function decodeCall({ id, name, args = null, ...others }: Fields, sides: Fields, newId: string): ToolCall {
  const own = givenId(id);
  const lacks = { ...(own === undefined && { id: null }), ...(args === null && { args }) };
  return ToolCall.of({
    id: own ?? newId,
    name: (name ?? '') as string,
    args: args as string,
    origin: originOf({ ...sides, functionCall: { ...others, ...lacks } }, true),
  });
}

/** An id that says something; undefined for any other. */
export function givenId(id: unknown): string | undefined {
  return isCallId(id) && id.trim() !== '' ? id : undefined;
}
