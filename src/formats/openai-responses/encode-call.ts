import type { ToolCall } from '../../model/tool-call.ts';
import { besideItem } from './item-ids.ts';
import { keptOf } from './origin.ts';
import { loseKeys, made, pathIn, type Source, tell } from './source.ts';
import type { ResponsesCustomToolCall, ResponsesFunctionCall } from './wire.ts';

/** The call at a place of its message, with its id on the wire, and the id of the reasoning that goes out before it. */
export function encodeCall(
  call: ToolCall,
  place: number,
  call_id: string,
  source: Source,
  reasoning?: string,
): ResponsesFunctionCall | ResponsesCustomToolCall {
  const at = `.toolCalls[${place}]`;
  const isCustom = call.kind === 'custom';
  const name = source.toolNames.of(call.name);
  const kept = keptOf(call.origin);
  const isGood = isCustom || !call.isMalformed() || source.report.takesArguments(call, pathIn(source, at));
  tellRewritten('call-id', call.idString(), call_id, at, source);
  tellRewritten('call-name', call.name, name, at, source);
  loseKeys(call.extra, [], at, source);
  const item = {
    ...(kept?.item && besideItem(kept, isCustom ? 'ctc' : 'fc', reasoning, at, source)),
    type: isCustom ? 'custom_tool_call' : 'function_call',
    call_id,
    name,
    [isCustom ? 'input' : 'arguments']: isGood ? call.argsText : '{}',
  } as unknown as ResponsesFunctionCall;
  return made(item, at, source);
}

function tellRewritten(rule: string, own: string, sent: string, at: string, source: Source): void {
  if (own !== sent) tell(source, at, rule, 'rewritten', `${JSON.stringify(own)} goes out as ${JSON.stringify(sent)}`);
}
