import type { ToolCall } from '../../model/tool-call.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { encodeInput } from './encode-part.ts';
import { keptOf } from './origin.ts';
import { isRawItem } from './raw-item.ts';
import { dropped, lose, loseKeys, type Source } from './source.ts';
import type { ResponsesCustomToolCallOutput, ResponsesFunctionCallOutput, ResponsesInputPart } from './wire.ts';

/** The answer to a call, which went out under this id. */
export function encodeAnswer(
  { kind, name }: ToolCall,
  call_id: string,
  source: Source,
): ResponsesFunctionCallOutput | ResponsesCustomToolCallOutput {
  const { message, request } = source;
  const { content, origin } = message;
  const isCustom = kind === 'custom';
  const type = (isCustom ? 'custom_tool_call_output' : 'function_call_output') as 'function_call_output';
  const kept = keptOf(origin);
  loseRestOf(kept?.item?.['name'] ?? name, source);
  const isText = kept?.item === undefined || kept.content !== undefined;
  const output = (isText ? content.plainText : undefined) ?? partsOf(source, !isText);
  if (kept?.item === undefined) return { type, call_id, output };
  const beside = request.itemIds.beside(kept, '', undefined, '', source);
  // The `openai` package's `toResponseInputItems`: only a response has the status of such an output.
  if (isCustom) delete beside['status'];
  return { ...beside, type, call_id, output };
}

/** What an answer does not carry over. The name of the tool goes out with its call. */
function loseRestOf(name: unknown, source: Source): void {
  const { toolResult, name: given, extra } = source.message;
  const own = toolResult?.toolName ?? given;
  if (own !== '' && own !== name)
    dropped(source, '.name', 'tool-name', `another name than that of the call, ${JSON.stringify(own)}`);
  if (toolResult?.isError() === true) {
    const about = `answers have no status on this wire: ${JSON.stringify(toolResult.status)} left out, the content stays`;
    lose(source, '.toolResult.status', 'error-flag', 'dropped', about);
  }
  if (extra !== NO_FIELDS) loseKeys(extra, [], 'message-key', '', source);
  if (toolResult !== undefined && toolResult.extra !== NO_FIELDS)
    loseKeys(toolResult.extra, [], 'tool-result-key', '.toolResult', source);
}

/** Parts as a list; an empty text where nothing is left, unless it is to be a list: a call wants an answer. */
function partsOf(source: Source, isList: boolean): string | ResponsesInputPart[] {
  const parts: ResponsesInputPart[] = [];
  source.message.content.parts.forEach((part, at) => {
    if (part.isMark()) return;
    const wire = isRawItem(part)
      ? dropped(source, at, 'part-role', `answers have no ${part.type}`)
      : encodeInput(part, at, source);
    if (wire !== undefined) parts.push(wire);
  });
  return parts.length > 0 || isList ? parts : '';
}
