import { reject } from '../errors.ts';
import { readId } from '../input/ids.ts';
import { canBeMessage, isMessageShape } from '../input/message.ts';
import { readOptionalString } from '../input/string.ts';
import { textOf } from '../input/text.ts';
import { UNNAMED_TOOL } from '../input/tool-call.ts';
import { CALL_ID_EXPECTED } from '../schema/ids.ts';
import { explain } from '../schema/explain.ts';
import { copyJson, isRecord, type JsonObject, NO_FIELDS } from '../schema/json.ts';
import { type Incomplete, isMessageJSON, type MessageJSON, messageSchema } from '../schema/message.ts';
import type { Origin } from '../schema/origin.ts';
import { Content, type ContentInput } from './content.ts';
import { ContentPart, type ContentPartInput } from './content-part.ts';
import { ContentParts } from './content-parts.ts';
import type { MessageId } from './ids.ts';
import { type Block, blocksOf } from './message-blocks.ts';
import { type MessageFields, stateOfFields } from './message-fields.ts';
import {
  foldStates,
  type MessageState,
  type Said,
  sameState,
  stateOfJSON,
  stateOfRecord,
  stateOfSaid,
  stateToJSON,
} from './message-state.ts';
import { MessageRole } from './message-role.ts';
import type { MessageType } from './message-type.ts';
import type { Metadata } from './metadata.ts';
import { type CanProvideMessage, providesMessage } from './providers.ts';
import type { MessageLike } from './render-text.ts';
import { ToolCalls, type ToolCallsInput } from './tool-calls.ts';
import { ToolResult, type ToolResultFields, type ToolResultInput } from './tool-result.ts';

/** What can stand for one message. */
export type MessageInput =
  | Message
  | string
  | Content
  | ContentPart
  | ContentParts
  | CanProvideMessage
  | readonly ContentPartInput[]
  | MessageLike
  | Readonly<Record<string, unknown>>;

/** One turn of a conversation. Immutable: every change gives a new message with the same identity. */
export class Message {
  readonly id: MessageId;
  /** When the message was made: ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string;
  readonly role: MessageRole;
  /** The participant's name; `''` where there is none. */
  readonly name: string;
  readonly content: Content;
  readonly toolCalls: ToolCalls;
  readonly toolResult: ToolResult | undefined;
  readonly metadata: Metadata;
  /** The message before this one in a branching session. */
  readonly parentId: MessageId | undefined;
  readonly origin: Origin | undefined;
  /** Set where the message's stream was cut: its tool calls must not be executed. */
  readonly incomplete: Incomplete | undefined;
  /** Fields of the input that have no meaning here; they go out again only where they came from. */
  readonly extra: JsonObject;

  private constructor(state: MessageState) {
    this.id = state.id as MessageId;
    this.timestamp = state.timestamp;
    this.role = state.role;
    this.name = state.name;
    this.content = state.content;
    this.toolCalls = state.toolCalls;
    this.toolResult = state.toolResult;
    this.metadata = state.metadata;
    this.parentId = state.parentId as MessageId | undefined;
    this.origin = state.origin;
    this.incomplete = state.incomplete;
    this.extra = state.extra;
    Object.freeze(this);
  }

  /** The role of a message for which none is given. */
  static readonly DEFAULT_ROLE: MessageRole = 'user';

  /**
   * A message with these fields; what is missing gets its default.
   *
   * @throws InvalidInputError naming the field
   * @example
   * Message.of({ role: 'assistant', content: 'Hello' }).toString() // => 'Hello'
   */
  static of(fields: MessageFields = {}): Message {
    return new Message(stateOfFields(fields));
  }

  /**
   * A message from anything that can stand for one: text, content, a provider, an object in our form, OpenAI's
   * or the seed's. A message itself is returned unchanged unless a role or name is given, which override.
   *
   * @throws InvalidInputError naming the path of what cannot be read
   * @example
   * Message.from({ role: 'tool', tool_call_id: 'c1', content: '12 °C' }).toolResult?.callId // => 'c1'
   */
  static from(input: MessageInput, role?: MessageRole | '' | null, name?: string, path = ''): Message {
    const message = input instanceof Message ? input : Message.#read(input, role, path);
    return message.#overridden(role, name);
  }

  #overridden(role: MessageRole | '' | null | undefined, name: string | undefined): Message {
    const named = name ? this.withName(name) : this;
    return role === undefined || role === null || role === '' ? named : named.withRole(role);
  }

  static #read(input: unknown, role: MessageRole | '' | null | undefined, path: string): Message {
    if (typeof input === 'string' || isContent(input) || isPartList(input)) {
      return Message.of({ content: Content.from(input, path), role });
    }
    if (providesMessage(input)) return Message.from(input.toMessage());
    if (canBeMessage(input)) return new Message(stateOfRecord(input, path));
    return reject(path, 'a message: text, or an object with a role and content', input);
  }

  /** A blank user message with a fresh identity. */
  static empty(): Message {
    return Message.of();
  }

  /** A message of a role, with content and perhaps a name. */
  static make(role: MessageRole, content: ContentInput, name = ''): Message {
    return Message.of({ role, content, name });
  }

  /** A message of any input in the role of the user. */
  static asUser(input: MessageInput, name?: string): Message {
    return Message.from(input, 'user', name);
  }

  /** A message of any input in the role of the assistant. */
  static asAssistant(input: MessageInput, name?: string): Message {
    return Message.from(input, 'assistant', name);
  }

  /** A message of any input in the role of the system. */
  static asSystem(input: MessageInput, name?: string): Message {
    return Message.from(input, 'system', name);
  }

  /** A message of any input in the role of the developer. */
  static asDeveloper(input: MessageInput, name?: string): Message {
    return Message.from(input, 'developer', name);
  }

  /** A message of any input in the role of a tool. */
  static asTool(input: MessageInput, name?: string): Message {
    return Message.from(input, 'tool', name);
  }

  /** A message or what a provider provides; anything else as text, in the role given. Objects become JSON text: {@link Message.from} reads those. */
  static fromInput(input: unknown, role?: MessageRole | ''): Message {
    if (input instanceof Message) return input;
    return providesMessage(input) ? Message.from(input.toMessage()) : Message.of({ content: textOf(input), role });
  }

  /**
   * The assistant's turn that asks for tools.
   *
   * @throws InvalidInputError `empty_tool_calls`, `empty_tool_name` or `empty_tool_call_id` when there is no call, or one
   * has no name or a blank id; null content is `''`
   */
  static assistantToolCalls(calls: ToolCallsInput, content: ContentInput = ''): Message {
    const toolCalls = ToolCalls.from(calls, 'toolCalls');
    if (toolCalls.isEmpty()) reject('toolCalls', 'at least one tool call', calls, 'empty_tool_calls');
    const given = [calls].flat() as readonly { readonly id?: Partial<string> }[];
    toolCalls.forEach(({ name }, at) => {
      if (name.trim() === '' || name === UNNAMED_TOOL)
        reject(`toolCalls[${at}].name`, 'a name', name, 'empty_tool_name');
      if (given[at]?.id?.trim?.() === '') reject(`toolCalls[${at}].id`, CALL_ID_EXPECTED, '', 'empty_tool_call_id');
    });
    return Message.of({ role: 'assistant', content: content ?? '', toolCalls });
  }

  /**
   * The answer to a tool call.
   *
   * @throws InvalidInputError `empty_tool_call_id` when the call id is blank
   */
  static toolResult(
    callId: string,
    content: ContentInput,
    options: Pick<ToolResultFields, 'toolName' | 'status'> = {},
  ): Message {
    const result = ToolResult.of({ content, callId, ...options });
    if (result.callId === undefined) reject('callId', CALL_ID_EXPECTED, callId, 'empty_tool_call_id');
    return Message.of({ role: 'tool', content: result.content, toolResult: result });
  }

  /**
   * Reads what `toJSON` wrote.
   *
   * @throws InvalidInputError naming the path of what is wrong
   */
  static fromJSON(json: unknown): Message {
    const copied = copyJson(json);
    return isMessageJSON(copied) ? Message.owning(copied) : explain(messageSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(json: MessageJSON): Message {
    return new Message(stateOfJSON(json));
  }

  /** @internal A new message of values that are known to be good, made at `time` (milliseconds since 1970 UTC). */
  static saying(said: Said, time: number): Message {
    return new Message(stateOfSaid(said, time));
  }

  /** Whether a value has the shape of a message: a role, and content, metadata or tool data. */
  static isMessage(value: unknown): boolean {
    return isMessageShape(value);
  }

  /** Whether all items have the shape of a message; so does an empty list. */
  static isMessages(values: readonly unknown[]): boolean {
    return values.every(isMessageShape);
  }

  /** Whether a message object's content is a list or an object, before it is read. */
  static becomesComposite(input: Readonly<Record<string, unknown>>): boolean {
    return typeof input['content'] === 'object' && input['content'] !== null;
  }

  /** When the message was made: a fresh Date at each read. */
  get createdAt(): Date {
    return new Date(this.timestamp);
  }

  /** What kind of turn this is: role and tool data must fit together, else it is text. */
  get type(): MessageType {
    if (this.role === 'assistant' && this.hasToolCalls()) return 'assistant_tool_calls';
    return this.role === 'tool' && this.hasToolResult() ? 'tool_result' : 'text';
  }

  /** The parts of the content. */
  contentParts(): ContentParts {
    return this.content.parts;
  }

  /** Parts and tool calls in true order: see {@link Block}. */
  blocks(): Generator<Block, void, undefined> {
    return blocksOf(this.content, this.toolCalls);
  }

  /** Whether the role is user. */
  isUser(): boolean {
    return this.role === 'user';
  }

  /** Whether the role is assistant. */
  isAssistant(): boolean {
    return this.role === 'assistant';
  }

  /** Whether the role is tool. */
  isTool(): boolean {
    return this.role === 'tool';
  }

  /** Whether the message gives instructions: its role is system or developer. */
  isSystem(): boolean {
    return MessageRole.isSystem(this.role);
  }

  /** Whether the role is developer. */
  isDeveloper(): boolean {
    return this.role === 'developer';
  }

  /** Whether the role is among these. */
  hasRole(...roles: readonly MessageRole[]): boolean {
    return roles.includes(this.role);
  }

  /** Whether there is a tool call. */
  hasToolCalls(): boolean {
    return this.toolCalls.size > 0;
  }

  /** Whether there is a tool result. */
  hasToolResult(): boolean {
    return this.toolResult !== undefined;
  }

  /** Whether the message says nothing: no content, no metadata, no tool data. A name alone says nothing. */
  isEmpty(): boolean {
    return (
      this.content.isEmpty() &&
      this.metadata.isEmpty() &&
      this.toolCalls.size === 0 &&
      this.toolResult === undefined &&
      this.extra === NO_FIELDS
    );
  }

  /** Whether the content is more than one plain text. */
  isComposite(): boolean {
    return this.content.isComposite();
  }

  #with(changes: Partial<MessageState>): Message {
    return new Message({ ...this, ...changes });
  }

  /** With other content; a tool result's content follows. */
  withContent(content: ContentInput): Message {
    const next = Content.from(content, 'content');
    if (next.equals(this.content)) return this;
    return this.#with({ content: next, toolResult: this.toolResult?.withContent(next) });
  }

  /**
   * With another role; tool data stays.
   *
   * @throws InvalidInputError when it is no role
   */
  withRole(role: MessageRole): Message {
    const next = MessageRole.from(role);
    return next === this.role ? this : this.#with({ role: next });
  }

  /** With another name; `''` removes it. */
  withName(name: string): Message {
    return name === this.name ? this : this.#with({ name: readOptionalString(name, 'name') });
  }

  /** With one metadata entry more, or another value for it. */
  withMetadata(key: string, value: unknown): Message {
    const metadata = this.metadata.withKeyValue(key, value);
    return metadata === this.metadata ? this : this.#with({ metadata });
  }

  /** With other tool calls instead of these. */
  withToolCalls(toolCalls: ToolCallsInput): Message {
    const next = ToolCalls.from(toolCalls, 'toolCalls');
    return next.equals(this.toolCalls) ? this : this.#with({ toolCalls: next });
  }

  /** With a tool result, which brings its content; undefined takes the result away and leaves the content. */
  withToolResult(toolResult: ToolResultInput | undefined): Message {
    const next = toolResult && ToolResult.from(toolResult, 'toolResult');
    if (next === this.toolResult || (next && this.toolResult?.equals(next))) return this;
    return this.#with({ toolResult: next, content: next?.content ?? this.content });
  }

  /** With another parent; undefined removes it. */
  withParentId(parentId: string | null | undefined): Message {
    const next = parentId === null || parentId === undefined ? undefined : readId(parentId, 'parentId');
    return next === this.parentId ? this : this.#with({ parentId: next });
  }

  /** With one content part more at the end. */
  addContentPart(part: ContentPartInput): Message {
    return this.withContent(this.content.addContentPart(part));
  }

  /** With the content parts of another message at the end; nothing else of it. */
  addContentFrom(source: Message): Message {
    return this.withContent(Content.owningParts([...this.content.parts, ...source.content.parts]));
  }

  /**
   * This message and another folded into one: parts appended (blank ones are not), tool calls concatenated,
   * the source's metadata wins; identity, role and name stay.
   *
   * @throws MessageStoreError `tool_result_merge` when either carries a tool result: it is bound to one call
   */
  withMergedFrom(source: Message): Message {
    const merged = Message.folded([this, source]);
    return merged.equals(this) ? this : merged;
  }

  /** @internal A run of messages folded into the first one. Linear. */
  static folded(run: readonly Message[]): Message {
    return new Message(foldStates(run));
  }

  /** The message as one JSON object: what `fromJSON` reads back without loss. */
  toJSON(): MessageJSON {
    return stateToJSON(this);
  }

  /** The text of the content: see {@link Content.toString}. */
  toString(): string {
    return this.content.toString();
  }

  /** Whether both are the same in all they hold, identity included. */
  equals(other: Message): boolean {
    return this === other || sameState(this, other);
  }
}

function isContent(input: unknown): input is ContentInput {
  return (
    input instanceof Content ||
    input instanceof ContentPart ||
    input instanceof ContentParts ||
    (isRecord(input) && 'toContentPart' in input)
  );
}

/** A list of texts and parts; what is a message object in it is none. */
function isPartList(input: unknown): input is readonly ContentPartInput[] {
  return (
    Array.isArray(input) &&
    input.length > 0 &&
    input.every((item) => typeof item === 'string' || isContent(item) || (isRecord(item) && !canBeMessage(item)))
  );
}
