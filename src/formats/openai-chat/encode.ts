import type { Message } from '../../model/message.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { type Encoded, type EncodeInput, type EncodeOptions, type Loss, messagesOf, reportOf } from '../format.ts';
import { MessageEncoder } from './encode-message.ts';
import type { ChatMessage, OpenAIChatPayload } from './wire.ts';

/** Options of this format. */
export interface OpenAIChatOptions extends EncodeOptions {
  /**
   * The one role in which instructions go out: reasoning models of OpenAI want `developer`, other servers know
   * only `system`. Default: each in the role that it has.
   */
  readonly instructionRole?: 'system' | 'developer';
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  const losses: Loss[] = [];
  const messages: ChatMessage[] = [];
  messagesOf(input).forEach((message, index) => {
    const encoded = isPlainText(message)
      ? encodeText(message, options)
      : new MessageEncoder(message, index, losses).encode(options.instructionRole);
    if (encoded !== undefined) messages.push(encoded);
  });
  return { payload: { messages }, report: reportOf(losses, options) };
}

/** The most frequent kind of message: text, and nothing that this wire could lose. */
function isPlainText({ role, content, toolCalls, toolResult, extra }: Message): boolean {
  return (
    role !== 'tool' &&
    content.plainText !== undefined &&
    toolCalls.size === 0 &&
    toolResult === undefined &&
    extra === NO_FIELDS
  );
}

function encodeText({ role, content, name }: Message, { instructionRole }: OpenAIChatOptions): ChatMessage {
  const isInstruction = role === 'system' || role === 'developer';
  const wire = {
    role: isInstruction ? (instructionRole ?? role) : (role as 'user' | 'assistant'),
    content: content.plainText as string,
  };
  return name === '' ? wire : { ...wire, name };
}
