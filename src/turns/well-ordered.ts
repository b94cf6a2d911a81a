import type { Message } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { ToolCalls } from '../model/tool-calls.ts';
import { callId } from './call-id.ts';
import { isNamed } from './call-name.ts';

/** Whether a repair would find nothing to do: one quick look at each message, since it is asked for every request. */
export function isWellOrdered(messages: Messages): boolean {
  const none = ToolCalls.empty();
  /** The calls that may be answered now, and how many of them are. */
  let calls = none;
  let answered = 0;
  let isFine = true;
  messages.forEach((message) => {
    const { toolCalls, toolResult } = message;
    if (toolCalls === none && toolResult === undefined && message.role !== 'tool') {
      if (answered !== calls.size) isFine = false;
      if (calls === none) return;
      calls = none;
      answered = 0;
    } else if (message.role === 'tool') {
      isFine &&= isAnswerTo(message, calls.at(answered++));
    } else {
      isFine &&= answered === calls.size && asksWell(message);
      calls = toolCalls;
      answered = 0;
    }
  });
  return isFine && answered === calls.size;
}

function isAnswerTo({ toolCalls, toolResult }: Message, call: ToolCall | undefined): boolean {
  return call !== undefined && toolResult?.callId === call.id && toolCalls.size === 0;
}

/** Whether an assistant asks for tools that have a name, each with an id that no other has. */
function asksWell({ role, toolCalls, toolResult }: Message): boolean {
  if (role !== 'assistant' || toolResult !== undefined) return false;
  const ids = toolCalls.size > 1 ? new Set<string>() : undefined;
  for (let at = 0; at < toolCalls.size; at++) {
    const call = toolCalls.at(at);
    if (call === undefined || !isNamed(call) || callId(call) === '') return false;
    ids?.add(callId(call));
  }
  return ids === undefined || ids.size === toolCalls.size;
}
