import { reject } from '../../errors.ts';
import { rejectRole } from '../../input/role.ts';
import { now, timeText } from '../../internal/ids.ts';
import { joinPath } from '../../internal/path.ts';
import { Content, type ContentInput } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isRecord, isText, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import { isMessageKey } from '../../schema/message.ts';
import { isRole, type MessageRole } from '../../schema/role.ts';
import type { Loss } from '../format.ts';
import { decodeCall, unread } from './decode-call.ts';
import { type Fields, isMissing, roleIn, textAt } from './fields.ts';
import { urlOf } from './images.ts';
import { MESSAGE_KEYS } from './keys.ts';
import { type LinkedCall, type Links, toolNameOf } from './link-answers.ts';
import { originOf, thought } from './origin.ts';

/** A message that says one text, as nearly all do, and nothing else. */
export interface PlainMessage {
  readonly role: Exclude<MessageRole, 'tool'>;
  readonly content: string;
}

/** Whether this is a message that can be read as it is, since it is nothing but a role and sound text. */
export function isPlain(item: unknown): item is PlainMessage {
  if (!isRecord(item)) return false;
  for (const key in item) if (key !== 'role' && key !== 'content') return false;
  const { role, content } = item;
  return isText(content) && role !== 'tool' && isRole(role);
}

/** Where the message at a place of the list stands. */
type PathOf = (at: number) => string;

/** Reads the messages of one list, whose calls and answers are linked. */
export class MessageDecoder {
  readonly #links: Links;
  readonly #salt: string;
  readonly #losses: Loss[];
  readonly #time = now();
  /** What the ids that calls get here begin with, and how many there are. */
  #prefix = '';
  #made = 0;

  /** `salt` keeps the ids that calls get here apart from those of other lists. */
  constructor(links: Links, salt: string, losses: Loss[]) {
    this.#links = links;
    this.#salt = salt;
    this.#losses = losses;
  }

  /** A message that {@link isPlain is plain}. */
  decodePlain({ role, content }: PlainMessage): Message {
    return Message.saying({ role, content: Content.owning(content) }, this.#time);
  }

  /** The message at place `at` of the list, and where that is. */
  decode(item: Fields, at: number, pathOf: PathOf): Message {
    return this.#decodeFrequent(item, at, pathOf) ?? this.#decode(item, at, pathOf);
  }

  /** What nearly all messages of a tool turn are: text with calls, and the answer to a call without an id. */
  #decodeFrequent(item: Fields, at: number, pathOf: PathOf): Message | undefined {
    const { role, content, tool_calls: calls, tool_name: name } = item;
    if (typeof content !== 'string' || Object.keys(item).length !== 3) return undefined;
    if (role === 'assistant' && calls) {
      const toolCalls = this.#calls(item, at, pathOf);
      return Message.saying({ role, content: Content.owning(content), toolCalls }, this.#time);
    }
    const answered = role === 'tool' ? this.#links.answered.get(at) : undefined;
    if (answered?.givenId !== '' || answered.name !== name) return undefined;
    const toolResult = ToolResult.owning({ content, call_id: answered.id, tool_name: answered.name, is_error: false });
    return Message.saying({ role: 'tool', content: toolResult.content, toolResult }, this.#time);
  }

  #decode(item: Fields, at: number, pathOf: PathOf): Message {
    const path = pathOf(at);
    const role = decodeRole(item, path);
    const content = decodeContent(item, role, path);
    const answered = role === 'tool' ? this.#links.answered.get(at) : undefined;
    const said = {
      role,
      content,
      toolCalls: this.#calls(item, at, pathOf),
      ...(role === 'tool' && {
        toolResult: ToolResult.of({
          content,
          callId: answered?.id ?? textAt(item, 'tool_call_id'),
          toolName: toolNameOf(item),
        }),
      }),
    };
    const extra = this.#extra(item, role, path);
    const had = answered === undefined ? NO_FIELDS : hadByAnswer(item, answered);
    const name = role !== 'tool' && typeof item['name'] === 'string' ? item['name'] : '';
    const isUsual = extra === NO_FIELDS && had === NO_FIELDS;
    if (isUsual && name === '') return Message.saying(said, this.#time);
    const origin = isUsual ? undefined : originOf(had);
    return Message.of({ ...said, name, createdAt: timeText(this.#time), origin, extra });
  }

  #calls({ tool_calls: calls }: Fields, at: number, pathOf: PathOf): ToolCalls {
    if (isMissing(calls)) return ToolCalls.empty();
    const path = (): string => `${pathOf(at)}.tool_calls`;
    const linked = this.#links.calls.get(at) ?? reject(path(), 'a list of tool calls', calls);
    for (const call of linked) call.id ||= this.#newId(at, call);
    return ToolCalls.owning(linked.map((call, place) => decodeCall(call, () => `${path()}[${place}]`)));
  }

  /** Nine letters and digits, which are an id on every wire: the same each time that the list is read. */
  #newId(at: number, { call }: LinkedCall): string {
    this.#prefix ||= hashOf(JSON.stringify([this.#salt, at, call]));
    return this.#prefix + (this.#made++).toString(36).padStart(2, '0');
  }

  /** The keys that the wire does not know. */
  #extra(item: Fields, role: MessageRole, path: string): Fields {
    return unread(item, (key) => isRead(key, item, role) || this.#drops(key, path));
  }

  /** Whether a key cannot be kept, since it names what a message has here: that is told. */
  #drops(key: string, path: string): boolean {
    if (!isMessageKey(key)) return false;
    const message = `messages have no key ${JSON.stringify(key)} on this wire: left out`;
    this.#losses.push({ path: joinPath(path, key), rule: 'message-key', action: 'dropped', message });
    return true;
  }
}

/** Seven digits and small letters of the 32 bits of FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

function isRead(key: string, item: Fields, role: MessageRole): boolean {
  if (key === 'name') return typeof item[key] === 'string' && (role !== 'tool' || textAt(item, 'tool_name') === '');
  if (key === 'tool_name' || key === 'tool_call_id') return role === 'tool' && typeof item[key] === 'string';
  return MESSAGE_KEYS.has(key);
}

function decodeRole(item: Fields, path: string): MessageRole {
  const role = roleIn(item);
  return isRole(role) ? role : rejectRole(item['role'], `${path}.role`);
}

/** Thinking, the text, the images. An empty text stands only where it is all there is. */
function decodeContent(item: Fields, role: MessageRole, path: string): Content {
  const { content: text, thinking, images } = item;
  const content = Content.from(text as ContentInput, `${path}.content`);
  const isNothing = content === Content.empty();
  if (isMissing(thinking) && isMissing(images)) return isNothing ? Content.text('') : content;
  const parts = isNothing || content.plainText === '' ? [] : content.parts;
  return Content.of(
    ...(isMissing(thinking) ? [] : [decodeThinking(thinking, `${path}.thinking`)]),
    ...parts,
    ...(isMissing(images) ? [] : decodeImages(images, role, `${path}.images`)),
  );
}

function decodeThinking(thinking: unknown, path: string): ContentPart {
  return typeof thinking === 'string' ? thought(thinking) : reject(path, 'text', thinking);
}

/** Images of the user, as any other; those of other roles remember that they may go back there. */
function decodeImages(images: unknown, role: MessageRole, path: string): ContentPart[] {
  if (!Array.isArray(images)) return reject(path, 'a list of images', images);
  return images.map((image: unknown, at) => {
    if (typeof image !== 'string') return reject(`${path}[${at}]`, 'base64 text', image);
    const part = ContentPart.imageUrl(urlOf(image));
    return role === 'user' ? part : part.withField('_origin', originOf());
  });
}

/** What links an answer to its call on the wire, where that differs from what would be sent. */
function hadByAnswer(item: Fields, { name, givenId }: LinkedCall): JsonObject {
  const toolName = toolNameOf(item) || null;
  const callId = textAt(item, 'tool_call_id') || null;
  const isNamed = toolName === name;
  const isBound = (callId === null) === (givenId === '');
  if (isNamed && isBound) return NO_FIELDS;
  return { ...(!isNamed && { tool_name: toolName }), ...(!isBound && { tool_call_id: callId }) };
}
