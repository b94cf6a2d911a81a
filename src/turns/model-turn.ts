import { Content } from '../model/content.ts';
import { Message } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import { ToolCall, type ToolCallInput } from '../model/tool-call.ts';
import { type AssistantTurn, type AssistantTurnFields, readTurn } from './assistant-turn.ts';
import { callId } from './call-id.ts';
import { isNamed } from './call-name.ts';
import { withDistinctIds } from './distinct-ids.ts';
import { placePath } from './turn-error.ts';

/**
 * What a model said, as a message that can be answered behind these: where its calls lack names, or ids that no other
 * of them has, they get some, as by `repair`. A turn that was paid for is not lost for that.
 *
 * @throws InvalidInputError where it is no turn, or a call cannot be read
 */
export function modelMessage(turn: AssistantTurn, section: string, messages: Messages): Message {
  const index = messages.size;
  const said = readTurn(turn, { section, index });
  const message =
    said instanceof Message
      ? said.withRole('assistant').withToolResult(undefined)
      : ofFields(said, placePath({ section, index }));
  if (areSound([...message.toolCalls])) return message;
  return withDistinctIds(messages.appendMessage(message), { index }).at(index) as Message;
}

function ofFields({ content, toolCalls, onMalformedCall }: AssistantTurnFields, path: string): Message {
  const calls = (toolCalls ?? []).map((input, at) =>
    onMalformedCall === 'skip' ? readable(input) : ToolCall.from(input, `${path}.toolCalls[${at}]`),
  );
  return Message.of({
    role: 'assistant',
    content: Content.from(content ?? '', `${path}.content`),
    toolCalls: calls.filter((call) => call !== undefined),
  });
}

/** The call, where it can be read and has a name. */
function readable(input: ToolCallInput): ToolCall | undefined {
  try {
    const call = ToolCall.from(input);
    return isNamed(call) ? call : undefined;
  } catch {
    return undefined;
  }
}

function areSound(calls: readonly ToolCall[]): boolean {
  const ids = new Set(calls.map(callId));
  return ids.size === calls.length && !ids.has('') && calls.every(isNamed);
}
