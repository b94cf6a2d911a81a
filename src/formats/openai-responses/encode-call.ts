import type { ToolCall } from '../../model/tool-call.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { keptOf } from './origin.ts';
import { loseKeys, pathIn, type Source, tell } from './source.ts';
import type { ResponsesCustomToolCall, ResponsesFunctionCall } from './wire.ts';

/** The call at a place of its message, with its id on the wire, and the id of the reasoning that goes out before it. */
export function encodeCall(
  call: ToolCall,
  at: number,
  call_id: string,
  source: Source,
  reasoning?: string,
): ResponsesFunctionCall | ResponsesCustomToolCall {
  const name = source.request.toolNames.of(call.name);
  if (call_id !== call.id || name !== call.name) tellRewritten(call, { call_id, name }, at, source);
  const bare = withInput(call, { call_id, name }, at, source);
  const kept = keptOf(call.origin);
  if (call.extra !== NO_FIELDS) loseKeys(call.extra, [], 'tool-call-key', `.toolCalls[${at}]`, source);
  if (kept?.item === undefined) return bare;
  const prefix = call.kind === 'custom' ? 'ctc' : 'fc';
  return { ...source.request.itemIds.beside(kept, prefix, reasoning, `.toolCalls[${at}]`, source), ...bare };
}

/** What binds a call on the wire. */
interface Named {
  readonly call_id: string;
  readonly name: string;
}

function withInput(
  call: ToolCall,
  { call_id, name }: Named,
  at: number,
  source: Source,
): ResponsesFunctionCall | ResponsesCustomToolCall {
  if (call.kind === 'custom') return { type: 'custom_tool_call', call_id, name, input: call.argsText };
  const isGood = !call.isMalformed() || source.request.report.takesArguments(call, pathIn(source, `.toolCalls[${at}]`));
  return { type: 'function_call', call_id, name, arguments: isGood ? call.argsText : '{}' };
}

function tellRewritten(call: ToolCall, sent: Named, at: number, source: Source): void {
  const told = (rule: string, own: string, wire: string): void => {
    if (own === wire) return;
    const message = `${JSON.stringify(own)} goes out as ${JSON.stringify(wire)}`;
    tell(source, `.toolCalls[${at}]`, rule, 'rewritten', message);
  };
  told('tool-call-id', call.idString(), sent.call_id);
  told('tool-name', call.name, sent.name);
}
