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
import { wireRole } from './encode-frequent.ts';
import type { CallNames } from './call-names.ts';
import { legalName } from './legal-name.ts';
import { reasoningFieldOf } from './reasoning-field.ts';
import { encodePart, PARTS_BY_ROLE, PROVIDER, refusalField } from './parts.ts';
import type {
  AssistantMessage,
  ChatMessage,
  ChatPart,
  ChatToolCall,
  FilePart,
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

/** The grammar of participants and tools. */
const NAMES_ARE = 'names are 1 to 64 letters, digits, _ and -';

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
    const { plainText } = content;
    const parts = plainText === undefined ? this.#parts(content) : [];
    const isBare = plainText === undefined && parts.length === 0;
    if (isBare && !content.isEmpty() && role !== 'tool' && !this.#saysMore()) {
      this.#lose('', 'emptied-message', 'dropped', 'nothing of it has a place on this wire: left out');
      return undefined;
    }
    const texts = plainText ?? (isBare && role !== 'assistant' ? '' : (parts as TextPart[]));
    if (role === 'tool') return this.#tool(texts);
    if (role === 'assistant') return this.#assistant(texts);
    return this.#named({ role: wireRole(role, this.#context.options), content: texts } as UserMessage);
  }

  #named<Wire extends Exclude<ChatMessage, ToolMessage>>(wire: Wire): Wire {
    const name = this.#name();
    return { ...wire, ...(name !== '' && { name }), ...this.#extra };
  }

  #name(): string {
    const { name } = this.#message;
    const legal = legalName(name);
    if (legal !== name) {
      const action = legal === '' ? 'dropped' : 'rewritten';
      const end = legal === '' ? 'left out' : `${legal} goes out`;
      this.#lose('.name', 'participant-name', action, `${NAMES_ARE}, not ${JSON.stringify(name)}: ${end}`);
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
      ...(toolCalls.size > 0 && { tool_calls: toolCalls.map((call, at) => this.#call(call, `.toolCalls[${at}]`)) }),
    });
  }

  /** What stands where there is no content: null for no part, where something else is said, unless the option says it. */
  #emptyContent(content: string | TextPart[]): string | null {
    const option = this.#message.hasToolCalls() ? this.#context.options.emptyContent : undefined;
    const kind = option ?? (typeof content === 'string' ? 'text' : 'null');
    return kind === 'text' || !this.#saysMore() ? '' : null;
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

  #call(call: ToolCall, at: string): ChatToolCall {
    const { report, options, names } = this.#context;
    const path = this.#path + at;
    const isTaken = options.malformedArguments === 'verbatim' || report.takesArguments(call, path);
    const name = names.tool(call.name);
    const wire = {
      ...this.#sent(call.extra, call.origin ?? this.#message.origin, at, 'tool-call-key'),
      ...encodeCall(isTaken ? call : call.withArgs({}), this.#id(call.idString(), at), name),
    };
    if (name !== call.name) report.repair(path, 'call-name', 'rewritten', `${NAMES_ARE}: ${name} goes out`);
    report.made(wire, path);
    return wire;
  }

  #id(given: string, at: string): string {
    const { report, names } = this.#context;
    const id = names.id(given);
    if (id !== given)
      report.repair(this.#path + at, 'call-id', 'rewritten', `ids of calls have at most 64 characters: ${id} goes out`);
    return id;
  }

  #tool(content: string | TextPart[]): ToolMessage {
    const { toolResult, name } = this.#message;
    const toolName = toolResult?.toolName ?? name;
    // A made-up answer is told as a repair: nothing of it is lost.
    if (toolResult?.synthetic !== true) {
      if (toolName !== '') this.#misplaced('.name', 'tool-name', `the name ${JSON.stringify(toolName)}`);
      if (toolResult?.isError() === true)
        this.#misplaced('.toolResult.status', 'error-flag', `the status ${JSON.stringify(toolResult.status)}`);
    }
    const tool_call_id = this.#id(toolResult?.callIdString() ?? '', '.toolResult');
    return { role: 'tool', content, tool_call_id, ...this.#extra };
  }

  /** The parts that the wire has a place for. */
  #parts(content: Content): ChatPart[] {
    const parts: ChatPart[] = [];
    this.#reportInterleaving(content);
    content.parts.forEach((part, index) => {
      if (part.isMark() || (this.#message.isAssistant() && (this.#takesRefusal(part) || this.#takesReasoning(part))))
        return;
      const at = `.content[${index}]`;
      const { part: wire, losses } = encodePart(part);
      for (const { rule, action, message } of losses) this.#lose(at, rule, action, message);
      if (wire === undefined) return;
      if (wire.type === 'file') this.#nameFile(wire.file, at);
      this.#context.report.made(wire, this.#path + at);
      if (this.#allows(wire, at)) parts.push(wire);
    });
    return parts;
  }

  /** Data need a name: "Missing required parameter: 'messages[0].content[0].file.file_id'" is the answer to others. */
  #nameFile(file: FilePart['file'], at: string): void {
    if ((file.file_id ?? file.filename) !== undefined) return;
    file.filename = 'file';
    this.#context.report.repair(this.#path + at, 'file-name', 'added', 'data need a name: "file" goes out');
  }

  /** Whether a part is the refusal that stood beside the content: it goes back there. */
  #takesRefusal(part: ContentPart): boolean {
    const refusal = this.#refusal === undefined ? refusalField(part) : undefined;
    this.#refusal ??= refusal;
    return refusal !== undefined;
  }

  /** Whether reasoning goes out in a field of its own: the one it was read from, or the one that the server knows. */
  #takesReasoning(part: ContentPart): boolean {
    const field = this.#context.options.reasoningField ?? reasoningFieldOf(part);
    if (part.type !== 'reasoning' || field === undefined || field === 'none') return false;
    this.#reasoning = { ...this.#reasoning, [field]: `${this.#reasoning?.[field] ?? ''}${part.toString()}` };
    return true;
  }

  /** Whether a part stays in its message; what a tool gave goes to the user. */
  #allows(part: ChatPart, at: string): boolean {
    const { role } = this.#message;
    const { type } = part;
    const what = `the ${type} part`;
    if ((PARTS_BY_ROLE[role] as readonly string[]).includes(type)) return true;
    if (role === 'tool' && type !== 'refusal') {
      this.#context.media.push(part);
      this.#misplaced(at, 'tool-media', what, 'moved', 'moved to a user message behind the answers');
    } else this.#misplaced(at, 'part-role', what);
    return false;
  }

  #reportInterleaving(content: Content): void {
    if (this.#message.toolCalls.size === 0) return;
    const parts = [...content.parts];
    const firstMark = parts.findIndex((part) => part.isMark());
    if (firstMark >= 0 && parts.slice(firstMark).some((part) => !part.isMark() && !part.isEmpty()))
      this.#lose('.content', 'interleaving', 'moved', 'content between tool calls goes in front of them');
  }

  /** Unknown keys as they go back to where they came from; what only a response has is left out. */
  #sent(extra: JsonObject, origin: Origin | undefined, at: string, rule: string): Readonly<Record<string, unknown>> {
    if (extra === NO_FIELDS) return NO_FIELDS;
    const isForeign = origin !== undefined && origin.provider !== PROVIDER;
    const sent: Record<string, unknown> = {};
    for (const [key, given] of Object.entries(extra)) {
      if (key.startsWith('_') || !(isSaid(given) || key === 'refusal')) continue;
      const value = isForeign ? undefined : this.#sentValue(key, given);
      if (value === undefined) this.#misplaced(`${at}.${key}`, rule, `the key ${JSON.stringify(key)}`);
      else sent[key] = value;
    }
    return sent;
  }

  #sentValue(key: string, value: JsonValue): unknown {
    if (NEVER_SENT.has(key)) return undefined;
    return key === 'audio' ? this.#audio(value) : value;
  }

  /** Speech goes back by its id, not by its data. */
  #audio(value: JsonValue): { readonly id: string } | undefined {
    const { id, ...others } = isRecord(value) ? value : {};
    if (typeof id !== 'string') return undefined;
    if (Object.keys(others).length > 0)
      this.#lose('.audio', 'audio-data', 'degraded', 'speech goes back by its id: its data and transcript left out');
    return { id };
  }

  #misplaced(at: string, rule: string, what: string, action: Loss['action'] = 'dropped', end = 'left out'): void {
    this.#lose(at, rule, action, `${what} has no place in ${this.#message.role} messages on this wire: ${end}`);
  }

  #lose(at: string, rule: string, action: Loss['action'], message: string): void {
    this.#context.report.lose(this.#path + at, rule, action, message);
  }
}

/** Whether an unknown key says something: null and an empty list do not. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
