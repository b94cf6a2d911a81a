import type { Content } from '../../model/content.ts';
import type { ContentPart } from '../../model/content-part.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import { encodeCall } from './encode-call.ts';
import type { OpenAIChatOptions } from './encode.ts';
import { besideCalls } from './encode-frequent.ts';
import type { CallNames } from './call-names.ts';
import { legalName } from './participant-name.ts';
import { reasoningFieldOf } from './reasoning-field.ts';
import { encodePart, PARTS_BY_ROLE, PROVIDER, refusalField } from './parts.ts';
import type {
  AssistantMessage,
  ChatMessage,
  ChatPart,
  ChatToolCall,
  InstructionMessage,
  TextPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from './wire.ts';

/** What an assistant can say beside content and calls; one of them is reason enough for content that is null. */
const SPEECH_KEYS = ['refusal', 'audio', 'function_call'] as const;

/** What only a response has (also inside a call's `function`: parsed arguments), and what only our own records have. */
const NEVER_SENT: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'annotations',
  'parsed',
  'function',
  'custom',
  'metadata',
]);

/** The request that a message goes out in. */
export interface Context {
  readonly report: OpenReport;
  readonly options: OpenAIChatOptions;
  readonly names: CallNames;
  /** What the tools of this turn gave that no tool message carries. */
  readonly media: UserPart[];
}

/** Encodes one message, telling what it loses. */
export class MessageEncoder {
  readonly #message: Message;
  readonly #path: string;
  readonly #context: Context;
  /** The unknown keys of the message, as far as they go out. */
  readonly #extra: Readonly<Record<string, unknown>>;
  #refusal: string | undefined;
  /** What was thought, by the field that it goes out in. */
  #reasoning: Readonly<Record<string, string>> | undefined;

  /** `path`: where the message stands in what was given. */
  constructor(message: Message, path: string, context: Context) {
    this.#message = message;
    this.#path = path;
    this.#context = context;
    this.#extra = this.#sent(message.extra, message.origin, '', 'message-key');
  }

  /** The message as the wire has it; undefined where nothing of it is left. */
  encode(): ChatMessage | undefined {
    const { role, content } = this.#message;
    const parts = this.#parts(content);
    const isEmptied =
      parts.length === 0 &&
      content.plainText === undefined &&
      !content.isEmpty() &&
      role !== 'tool' &&
      !this.#saysMore();
    if (isEmptied) return this.#dropEmptied();
    const texts = content.plainText ?? (parts.length === 0 && role !== 'assistant' ? '' : (parts as TextPart[]));
    switch (role) {
      case 'system':
      case 'developer':
        return this.#named<InstructionMessage>({ role: this.#context.options.instructionRole ?? role, content: texts });
      case 'user':
        return this.#named<UserMessage>({ role, content: texts });
      case 'assistant':
        return this.#assistant(texts);
      case 'tool':
        return this.#tool(texts);
    }
  }

  #named<Wire extends Exclude<ChatMessage, ToolMessage>>(wire: Wire): Wire {
    const name = this.#name();
    return { ...wire, ...(name !== '' && { name }), ...this.#extra };
  }

  #name(): string {
    const { name } = this.#message;
    const legal = legalName(name);
    if (legal !== name) {
      const [action, end] =
        legal === '' ? (['dropped', 'left out'] as const) : (['rewritten', `${legal} goes out`] as const);
      const about = `names are letters, digits, _ and - on this wire, at most 64: ${JSON.stringify(name)}`;
      this.#lose('.name', 'participant-name', action, `${about}: ${end}`);
    }
    return legal;
  }

  #assistant(content: string | TextPart[]): AssistantMessage {
    const { toolCalls } = this.#message;
    return this.#named<AssistantMessage>({
      role: 'assistant',
      ...this.#reasoning,
      content: content.length > 0 ? this.#besideFields(content) : this.#emptyContent(content),
      ...(this.#refusal !== undefined && { refusal: this.#refusal }),
      ...(toolCalls.size > 0 && { tool_calls: toolCalls.map((call, at) => this.#call(call, at)) }),
    });
  }

  /** What stands where there is no content: null for no part, where something else is said. */
  #emptyContent(content: string | TextPart[]): string | null {
    if (!this.#saysMore()) return '';
    const isText = typeof content === 'string';
    if (!this.#message.hasToolCalls()) return isText ? '' : null;
    return isText || this.#context.options.emptyContent === 'text' ? besideCalls('', this.#context.options) : null;
  }

  /** A text that came beside a refusal or reasoning, and became a part like it, goes back as text. */
  #besideFields(content: string | TextPart[]): string | TextPart[] {
    const [first, ...others] = content;
    const isText =
      typeof first === 'object' && others.length === 0 && Object.keys(first).length === 2 && 'text' in first;
    return isText && (this.#refusal ?? this.#reasoning) !== undefined ? first.text : content;
  }

  /** Whether an assistant says something beside its content. */
  #saysMore(): boolean {
    const { role, toolCalls } = this.#message;
    const hasMore =
      toolCalls.size > 0 ||
      (this.#refusal ?? this.#reasoning) !== undefined ||
      SPEECH_KEYS.some((key) => isSaid(this.#extra[key]));
    return role === 'assistant' && hasMore;
  }

  #call(call: ToolCall, at: number): ChatToolCall {
    const wire = {
      ...this.#sent(call.extra, call.origin ?? this.#message.origin, `.toolCalls[${at}]`, 'tool-call-key'),
      ...encodeCall(
        this.#withGoodArguments(call, at),
        this.#wireId(call.idString(), `.toolCalls[${at}]`),
        this.#wireName(call, at),
      ),
    };
    this.#context.report.made(wire, `${this.#path}.toolCalls[${at}]`);
    return wire;
  }

  #wireId(id: string, at: string): string {
    const wireId = this.#context.names.id(id);
    if (wireId !== id) this.#repair(at, 'call-id', `ids of calls have at most 64 characters: ${wireId} goes out`);
    return wireId;
  }

  #wireName({ name }: ToolCall, at: number): string {
    const wireName = this.#context.names.tool(name);
    const about = `names of tools are 1 to 64 letters, digits, _ and -: ${wireName} goes out`;
    if (wireName !== name) this.#repair(`.toolCalls[${at}]`, 'call-name', about);
    return wireName;
  }

  #repair(at: string, rule: string, message: string): void {
    this.#context.report.repair(`${this.#path}${at}`, rule, 'rewritten', message);
  }

  #withGoodArguments(call: ToolCall, at: number): ToolCall {
    if (this.#context.options.malformedArguments === 'verbatim') return call;
    return this.#context.report.takesArguments(call, `${this.#path}.toolCalls[${at}]`) ? call : call.withArgs({});
  }

  #tool(content: string | TextPart[]): ToolMessage {
    const { toolResult, name } = this.#message;
    const toolName = toolResult?.toolName ?? name;
    if (toolName !== '') {
      const named = JSON.stringify(toolName);
      this.#lose('.name', 'tool-name', 'dropped', `tool messages carry no name on this wire: ${named} left out`);
    }
    if (toolResult?.isError() === true) {
      const status = JSON.stringify(toolResult.status);
      this.#lose(
        '.toolResult.status',
        'error-flag',
        'dropped',
        `tool messages carry no status on this wire: ${status} left out, the content stays`,
      );
    }
    return {
      role: 'tool',
      content,
      tool_call_id: this.#wireId(toolResult?.callIdString() ?? '', '.toolResult'),
      ...this.#extra,
    };
  }

  /** The parts that the wire has a place for; none where plain text is all there is. */
  #parts(content: Content): ChatPart[] {
    const parts: ChatPart[] = [];
    if (content.plainText !== undefined) return parts;
    this.#reportInterleaving(content);
    content.parts.forEach((part, at) => {
      if (part.isMark() || this.#takesRefusal(part) || this.#takesReasoning(part)) return;
      const { part: wire, losses } = encodePart(part);
      for (const { rule, action, message } of losses) this.#lose(`.content[${at}]`, rule, action, message);
      if (wire === undefined) return;
      this.#context.report.made(wire, `${this.#path}.content[${at}]`);
      if (this.#allows(wire, at)) parts.push(wire);
    });
    return parts;
  }

  /** Whether a part is the refusal that stood beside the content: it goes back there. */
  #takesRefusal(part: ContentPart): boolean {
    const refusal = this.#message.role === 'assistant' && this.#refusal === undefined ? refusalField(part) : undefined;
    this.#refusal ??= refusal;
    return refusal !== undefined;
  }

  /** Whether reasoning goes out in a field of its own: the one it was read from, or the one that the server knows. */
  #takesReasoning(part: ContentPart): boolean {
    if (this.#message.role !== 'assistant' || part.type !== 'reasoning') return false;
    const field = this.#context.options.reasoningField ?? reasoningFieldOf(part);
    if (field === undefined || field === 'none') return false;
    this.#reasoning = { [field]: `${this.#reasoning?.[field] ?? ''}${part.toString()}` };
    return true;
  }

  #allows(part: ChatPart, at: number): boolean {
    const { role } = this.#message;
    if ((PARTS_BY_ROLE[role] as readonly string[]).includes(part.type)) return true;
    if (role === 'tool' && part.type !== 'refusal') {
      this.#context.media.push(part);
      const about = `tool messages carry no ${part.type} parts on this wire: moved to a user message behind the answers`;
      this.#lose(`.content[${at}]`, 'tool-media', 'moved', about);
      return false;
    }
    this.#lose(
      `.content[${at}]`,
      'part-role',
      'dropped',
      `${role} messages carry no ${part.type} parts on this wire: left out`,
    );
    return false;
  }

  #dropEmptied(): undefined {
    this.#lose('', 'emptied-message', 'dropped', 'nothing that this wire carries is left of the message: left out');
  }

  #reportInterleaving(content: Content): void {
    if (this.#message.toolCalls.size === 0) return;
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

  /** Unknown keys as they go back to where they came from; what only a response has is left out. */
  #sent(extra: JsonObject, origin: Origin | undefined, at: string, rule: string): Readonly<Record<string, unknown>> {
    if (extra === NO_FIELDS) return NO_FIELDS;
    const isForeign = origin !== undefined && origin.provider !== PROVIDER;
    const said = Object.entries(extra).filter(
      ([key, value]) => !key.startsWith('_') && (isSaid(value) || key === 'refusal'),
    );
    const sent = said.map(([key, value]) => [key, isForeign ? undefined : this.#sentValue(key, value)] as const);
    for (const [key, value] of sent) {
      if (value !== undefined) continue;
      this.#lose(`${at}.${key}`, rule, 'dropped', `the key ${JSON.stringify(key)} is not sent on this wire: left out`);
    }
    return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
  }

  #sentValue(key: string, value: JsonValue): unknown {
    if (NEVER_SENT.has(key)) return undefined;
    return key === 'audio' ? this.#audio(value) : value;
  }

  /** Speech goes back by its id, not by its data. */
  #audio(value: JsonValue): { readonly id: string } | undefined {
    const { id, ...others } = isRecord(value) ? value : {};
    if (typeof id !== 'string') return undefined;
    if (Object.keys(others).length > 0) {
      this.#lose('.audio', 'audio-data', 'degraded', 'speech goes back by its id: its data and transcript left out');
    }
    return { id };
  }

  #lose(at: string, rule: string, action: Loss['action'], message: string): void {
    this.#context.report.lose(`${this.#path}${at}`, rule, action, message);
  }
}

/** Whether an unknown key says something: null and an empty list do not. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
