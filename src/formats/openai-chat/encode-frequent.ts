import type { ContentPart } from '../../model/content-part.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord, NO_FIELDS } from '../../schema/json.ts';
import type { MessageRole } from '../../schema/role.ts';
import { isLegalId } from './call-names.ts';
import { encodeCall } from './encode-call.ts';
import type { OpenAIChatOptions } from './encode.ts';
import { isLegalName } from './legal-name.ts';
import type { ChatMessage, ChatToolCall, ImagePart, TextPart, ToolMessage } from './wire.ts';

/**
 * The messages that nearly all histories consist of, written without detours: text, text with pictures, text with tool
 * calls, and the answer to a call, with nothing that this wire could lose. Undefined for any other.
 */
export function encodeFrequent(message: Message, options: OpenAIChatOptions): ChatMessage | undefined {
  const { role, name, toolCalls, extra } = message;
  if (extra !== NO_FIELDS) return undefined;
  const content = message.content.plainText;
  if (content === undefined) return role === 'user' && name === '' ? encodeParts(message) : undefined;
  if (role === 'tool') return encodeAnswer(message, content);
  if (message.toolResult !== undefined) return undefined;
  if (toolCalls.size > 0) {
    const tool_calls = role === 'assistant' && name === '' ? encodeCalls(toolCalls, options) : undefined;
    return tool_calls && { role: 'assistant', content: besideCalls(content, options), tool_calls };
  }
  const wire = { role: wireRole(role, options), content };
  if (name === '') return wire;
  return isLegalName(name) ? { ...wire, name } : undefined;
}

/** What a user says with pictures. */
function encodeParts({ content, toolCalls, toolResult }: Message): ChatMessage | undefined {
  if (toolCalls.size > 0 || toolResult !== undefined || content.parts.size === 0) return undefined;
  const wire: (TextPart | ImagePart)[] = [];
  for (const part of content.parts) {
    const encoded = encodeTextOrImage(part);
    if (encoded === undefined) return undefined;
    wire.push(encoded);
  }
  return { role: 'user', content: wire };
}

function encodeTextOrImage({ type, fields }: ContentPart): TextPart | ImagePart | undefined {
  if (Object.keys(fields).length !== 1) return undefined;
  const { text, image_url: image } = fields;
  if (type === 'text') return typeof text === 'string' ? { type, text } : undefined;
  if (type !== 'image_url' || !isRecord(image) || Object.keys(image).length !== 1) return undefined;
  const { url } = image;
  return typeof url === 'string' ? { type, image_url: { url } } : undefined;
}

function encodeAnswer({ name, toolCalls, toolResult }: Message, content: string): ToolMessage | undefined {
  const id = toolResult?.callIdString() ?? '';
  const isPlain =
    name === '' &&
    toolCalls.size === 0 &&
    toolResult?.toolName === undefined &&
    toolResult?.status === 'ok' &&
    isLegalId(id);
  return isPlain ? { role: 'tool', content, tool_call_id: id } : undefined;
}

/** The role in which a message goes out that answers no call. */
export function wireRole<Role extends MessageRole>(
  role: Role,
  { instructionRole }: OpenAIChatOptions,
): Role | 'system' | 'developer' {
  return instructionRole !== undefined && (role === 'system' || role === 'developer') ? instructionRole : role;
}

/** A text as it stands beside tool calls. */
function besideCalls(text: string, { emptyContent }: OpenAIChatOptions): string | null {
  return text === '' && emptyContent === 'null' ? null : text;
}

function encodeCalls(calls: ToolCalls, { malformedArguments }: OpenAIChatOptions): ChatToolCall[] | undefined {
  const wire: ChatToolCall[] = [];
  for (let at = 0; at < calls.size; at++) {
    const call = calls.at(at);
    if (call?.extra !== NO_FIELDS || (malformedArguments !== 'verbatim' && call.isMalformed())) return undefined;
    const id = call.idString();
    if (!isLegalId(id) || !isLegalName(call.name)) return undefined;
    wire.push(encodeCall(call, id, call.name));
  }
  return wire;
}
