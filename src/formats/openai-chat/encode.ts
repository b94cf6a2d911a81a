import type { Content } from '../../model/content.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { NO_FIELDS } from '../../schema/json.ts';
import { type Encoded, type EncodeInput, type EncodeOptions, type Loss, messagesOf, reportOf } from '../format.ts';
import { encodePart } from './parts.ts';
import type {
  AssistantMessage,
  ChatMessage,
  ChatPart,
  ChatToolCall,
  InstructionMessage,
  OpenAIChatPayload,
  TextPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from './wire.ts';

/** Options of this format. */
export interface OpenAIChatOptions extends EncodeOptions {
  /**
   * The one role in which instructions go out: reasoning models of OpenAI want `developer`, other servers know
   * only `system`. Default: each in the role that it has.
   */
  readonly instructionRole?: 'system' | 'developer';
}

/** The part types that a message of each role may carry (openai package, ChatCompletionMessageParam). */
export const PARTS_BY_ROLE = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
} as const;

export const PROVIDER = 'openai-chat';

/** The messages of a request. */
export function encode(input: EncodeInput, options: OpenAIChatOptions = {}): Encoded<OpenAIChatPayload> {
  const losses: Loss[] = [];
  const messages: ChatMessage[] = [];
  messagesOf(input).forEach((message, index) => {
    const encoded = isPlainText(message)
      ? encodeText(message, options)
      : new MessageEncoder(message, index, losses).encode(options);
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

/** Encodes one message, telling what it loses. */
class MessageEncoder {
  readonly #message: Message;
  readonly #index: number;
  readonly #losses: Loss[];

  constructor(message: Message, index: number, losses: Loss[]) {
    this.#message = message;
    this.#index = index;
    this.#losses = losses;
  }

  encode({ instructionRole }: OpenAIChatOptions): ChatMessage | undefined {
    const message = this.#message;
    const { role } = message;
    this.#reportMisplacedToolData();
    const content = this.#content(message.content);
    if (content === undefined) return undefined;
    switch (role) {
      case 'system':
      case 'developer':
        return this.#named<InstructionMessage>({
          role: instructionRole ?? role,
          content: content as string | TextPart[],
        });
      case 'user':
        return this.#named<UserMessage>({ role, content: content as string | UserPart[] });
      case 'assistant':
        return this.#assistant(content as string | TextPart[]);
      case 'tool':
        return this.#tool(content as string | TextPart[]);
    }
  }

  #named<Wire extends Exclude<ChatMessage, ToolMessage>>(wire: Wire): Wire {
    if (this.#message.name !== '') wire.name = this.#message.name;
    return this.#message.extra === NO_FIELDS ? wire : Object.assign(wire, this.#extra());
  }

  #assistant(content: string | TextPart[]): AssistantMessage {
    const { toolCalls } = this.#message;
    const wire: AssistantMessage = {
      role: 'assistant',
      content: content.length > 0 || typeof content === 'string' ? content : this.#noContent(),
    };
    if (toolCalls.size > 0) wire.tool_calls = toolCalls.map(encodeCall);
    return this.#named(wire);
  }

  /** Content without parts: null where the message has something else to say, which is the only place for it. */
  #noContent(): '' | null {
    return this.#message.toolCalls.size > 0 || this.#message.extra !== NO_FIELDS ? null : '';
  }

  #tool(content: string | TextPart[]): ChatMessage {
    const { toolResult, name, extra } = this.#message;
    const toolName = toolResult?.toolName ?? name;
    if (toolName !== '')
      this.#lose(
        '.name',
        'tool-name',
        'dropped',
        `tool messages carry no name on this wire: ${JSON.stringify(toolName)} left out`,
      );
    if (toolResult?.isError() === true) {
      this.#lose(
        '.toolResult.status',
        'error-flag',
        'dropped',
        `tool messages carry no status on this wire: ${JSON.stringify(toolResult.status)} left out, the content stays`,
      );
    }
    const wire: ChatMessage = { role: 'tool', content, tool_call_id: toolResult?.callIdString() ?? '' };
    return extra === NO_FIELDS ? wire : Object.assign(wire, this.#extra());
  }

  /** The content as the wire has it; undefined where nothing is left of content that said something. */
  #content(content: Content): string | ChatPart[] | undefined {
    const text = content.plainText;
    if (text !== undefined) return text;
    this.#reportInterleaving(content);
    const parts: ChatPart[] = [];
    content.parts.forEach((part, at) => {
      if (part.isMark()) return;
      const { part: wire, losses } = encodePart(part);
      for (const loss of losses) this.#losses.push({ ...loss, path: `messages[${this.#index}].content[${at}]` });
      if (wire !== undefined && this.#allows(wire, at)) parts.push(wire);
    });
    const isEmptied =
      parts.length === 0 && !content.isEmpty() && this.#message.toolCalls.isEmpty() && this.#message.role !== 'tool';
    if (isEmptied)
      this.#lose('', 'emptied-message', 'dropped', 'nothing that this wire carries is left of the message: left out');
    if (isEmptied) return undefined;
    return parts.length === 0 && this.#message.role !== 'assistant' ? '' : parts;
  }

  #allows(part: ChatPart, at: number): boolean {
    const { role } = this.#message;
    if ((PARTS_BY_ROLE[role] as readonly string[]).includes(part.type)) return true;
    this.#lose(
      `.content[${at}]`,
      'part-role',
      'dropped',
      `${role} messages carry no ${part.type} parts on this wire: left out`,
    );
    return false;
  }

  #reportInterleaving(content: Content): void {
    const parts = [...content.parts];
    const firstMark = parts.findIndex((part) => part.isMark());
    if (firstMark >= 0 && parts.slice(firstMark).some((part) => !part.isMark() && !part.isEmpty())) {
      this.#lose(
        '.content',
        'interleaving',
        'moved',
        'content stands before the tool calls on this wire: content between them moved in front',
      );
    }
  }

  #reportMisplacedToolData(): void {
    const { role, toolCalls, toolResult } = this.#message;
    if (toolCalls.size > 0 && role !== 'assistant') {
      this.#lose(
        '.toolCalls',
        'tool-calls-role',
        'dropped',
        `${role} messages carry no tool calls on this wire: left out`,
      );
    }
    if (toolResult !== undefined && role !== 'tool') {
      this.#lose(
        '.toolResult',
        'tool-result-role',
        'dropped',
        `${role} messages carry no tool result on this wire: only the content stays`,
      );
    }
  }

  /** Unknown keys go back to where they came from; what only a response has is left out. */
  #extra(): object {
    const { origin, extra } = this.#message;
    const foreign = origin !== undefined && origin.provider !== PROVIDER;
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(extra)) {
      if (isBlank(value) && key !== 'refusal') continue;
      if (foreign || key === 'annotations')
        this.#lose(
          `.${key}`,
          'message-key',
          'dropped',
          `the key ${JSON.stringify(key)} is not sent on this wire: left out`,
        );
      else if (key === 'audio') out[key] = { id: (value as { readonly id?: unknown }).id };
      else out[key] = value;
    }
    return out;
  }

  #lose(at: string, rule: string, action: Loss['action'], message: string): void {
    this.#losses.push({ path: `messages[${this.#index}]${at}`, rule, action, message });
  }
}

function encodeCall(call: ToolCall): ChatToolCall {
  const id = call.idString();
  return call.kind === 'custom'
    ? { id, type: 'custom', custom: { name: call.name, input: call.argsText } }
    : { id, type: 'function', function: { name: call.name, arguments: call.argsText } };
}

function isBlank(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
