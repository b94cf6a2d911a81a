import type { ToolCall } from '../../model/tool-call.ts';
import { encodeInput } from './encode-part.ts';
import { besideItem } from './item-ids.ts';
import { keptOf } from './origin.ts';
import { dropped, loseKeys, made, type Source } from './source.ts';
import type { ResponsesCustomToolCallOutput, ResponsesFunctionCallOutput, ResponsesInputPart } from './wire.ts';

/** The answer to a call, which went out under this id. A call wants an answer, even where nothing is left of it. */
export function encodeAnswer(
  { kind, name }: ToolCall,
  call_id: string,
  source: Source,
): ResponsesFunctionCallOutput | ResponsesCustomToolCallOutput {
  const { content, origin } = source.message;
  const kept = keptOf(origin);
  const isText = kept?.item === undefined || kept.content !== undefined;
  loseRest(name, source);
  const text = isText ? content.plainText : undefined;
  const parts = text === undefined ? partsOf(source) : [];
  const output = text ?? (isText && parts.length === 0 ? '' : parts);
  const beside = kept?.item && besideItem(kept, '', undefined, '', source);
  const type = kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output';
  return made({ ...beside, type: type as 'function_call_output', call_id, output }, '', source);
}

/** What an answer does not carry over. The name of the tool goes out with its call, which is `called` so. */
function loseRest(called: string, source: Source): void {
  const { toolResult, extra, origin } = source.message;
  loseKeys({ ...extra, ...toolResult?.extra }, [], '', source);
  const name = toolResult?.toolName ?? called;
  // What was read from an item goes back in it, its name too.
  if (name !== called && keptOf(origin)?.item === undefined)
    dropped(source, '.toolResult.toolName', 'tool-name', `the name "${name}", which its call has not`);
  if (toolResult?.isError() && !toolResult.synthetic)
    dropped(source, '.toolResult.status', 'error-flag', `the status "${toolResult.status}"`);
}

function partsOf(source: Source): ResponsesInputPart[] {
  const parts: ResponsesInputPart[] = [];
  source.message.content.parts.forEach((part, at) => {
    if (part.isMark()) return;
    const wire = encodeInput(part, at, source);
    if (wire !== undefined) parts.push(made(wire, at, source));
  });
  return parts;
}
