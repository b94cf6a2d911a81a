import { reject } from '../../errors.ts';
import { rejectRole } from '../../input/role.ts';
import { timeText } from '../../internal/ids.ts';
import { joinPath } from '../../internal/path.ts';
import { Content, type ContentInput } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import { isMessageKey } from '../../schema/message.ts';
import { isRole, type MessageRole } from '../../schema/role.ts';
import type { Loss } from '../format.ts';
import { CALL_KEYS, FUNCTION_KEYS, MESSAGE_KEYS } from './encode-message.ts';
import { urlOf } from './images.ts';
import { type LinkedCall, type Links, textAt, toolNameOf } from './link-answers.ts';
import { originOf } from './origin.ts';

type Fields = Record<string, unknown>;

/** Reads the messages of one list, whose calls and answers are linked. */
export class MessageDecoder {
  readonly #links: Links;
  readonly #losses: Loss[];
  readonly #time: number;

  constructor(links: Links, losses: Loss[], time: number) {
    this.#links = links;
    this.#losses = losses;
    this.#time = time;
  }

  /** The message that stands at `path`, the one at place `at` of the list. */
  decode(item: Fields, at: number, path: string): Message {
    const role = roleOf(item['role'], `${path}.role`);
    const isPlain = role !== 'tool' && typeof item['content'] === 'string' && Object.keys(item).length === 2;
    if (isPlain) return Message.saying({ role, content: Content.owning(item['content'] as string) }, this.#time);
    const content = contentOf(item, role, path);
    const answered = role === 'tool' ? this.#links.answered.get(at) : undefined;
    const calls = this.#links.calls.get(at) ?? noCalls(item['tool_calls'], `${path}.tool_calls`);
    const extra = this.#extra(item, role, path);
    const had = answered === undefined ? NO_FIELDS : hadByAnswer(item, answered);
    const name = role !== 'tool' && typeof item['name'] === 'string' ? item['name'] : '';
    const toolCalls = ToolCalls.owning(
      calls.map((call, place) => decodeCall(item, place, call, `${path}.tool_calls[${place}]`)),
    );
    const said = {
      role,
      content,
      toolCalls,
      ...(role === 'tool' && { toolResult: resultOf(item, content, answered) }),
    };
    if (extra === NO_FIELDS && had === NO_FIELDS && name === '') return Message.saying(said, this.#time);
    const isOurs = extra !== NO_FIELDS || had !== NO_FIELDS;
    return Message.of({
      ...said,
      name,
      createdAt: timeText(this.#time),
      ...(isOurs && { origin: originOf(had), extra }),
    });
  }

  /** The keys that the wire does not know. Those that name what a message has here cannot be kept: they are told. */
  #extra(item: Fields, role: MessageRole, path: string): Fields {
    const unknown = Object.keys(item).filter((key) => !isRead(key, item, role));
    for (const key of unknown.filter(isMessageKey)) {
      const message = `messages of this wire have no key ${JSON.stringify(key)}: left out`;
      this.#losses.push({ path: joinPath(path, key), rule: 'message-key', action: 'dropped', message });
    }
    return picked(
      item,
      unknown.filter((key) => !isMessageKey(key)),
    );
  }
}

function isRead(key: string, item: Fields, role: MessageRole): boolean {
  if (key === 'name') return typeof item[key] === 'string' && (role !== 'tool' || textAt(item, 'tool_name') === '');
  if (key === 'tool_name' || key === 'tool_call_id') return role === 'tool' && typeof item[key] === 'string';
  return MESSAGE_KEYS.has(key);
}

/** The server takes roles in any case. */
function roleOf(given: unknown, path: string): MessageRole {
  const role = typeof given === 'string' ? given.toLowerCase() : given;
  return isRole(role) ? role : rejectRole(given, path);
}

/** Thinking, the text, the images. An empty text stands only where it is all there is. */
function contentOf(item: Fields, role: MessageRole, path: string): Content {
  const { content: text = '', thinking, images } = item;
  const content = typeof text === 'string' ? Content.text(text) : Content.from(text as ContentInput, `${path}.content`);
  const before = isMissing(thinking) ? [] : [decodeThinking(thinking, `${path}.thinking`)];
  const behind = isMissing(images) ? [] : decodeImages(images, role, `${path}.images`);
  if (before.length === 0 && behind.length === 0) return content.parts.isEmpty() ? Content.text('') : content;
  const parts = content.plainText === '' ? [] : content.parts;
  return Content.of(...before, ...parts, ...behind);
}

function decodeThinking(thinking: unknown, path: string): ContentPart {
  return typeof thinking === 'string' ? ContentPart.reasoning(thinking, originOf()) : reject(path, 'text', thinking);
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

function resultOf(item: Fields, content: Content, answered: LinkedCall | undefined): ToolResult {
  return ToolResult.of({ content, callId: answered?.id ?? textAt(item, 'tool_call_id'), toolName: toolNameOf(item) });
}

/** What links an answer to its call on the wire, where that differs from what would be sent. */
function hadByAnswer(item: Fields, { name, givenId }: LinkedCall): JsonObject {
  const toolName = toolNameOf(item) || null;
  const callId = textAt(item, 'tool_call_id') || null;
  const had = {
    ...(toolName !== name && { tool_name: toolName }),
    ...((callId === null) !== (givenId === '') && { tool_call_id: callId }),
  };
  return Object.keys(had).length === 0 ? NO_FIELDS : had;
}

function noCalls(calls: unknown, path: string): readonly LinkedCall[] {
  return isMissing(calls) ? [] : reject(path, 'a list of tool calls', calls);
}

function decodeCall(item: Fields, place: number, { id, givenId }: LinkedCall, path: string): ToolCall {
  const call = (item['tool_calls'] as readonly unknown[])[place];
  if (!isRecord(call)) return reject(path, 'a tool call with a function', call);
  const inner = isRecord(call['function']) ? call['function'] : call;
  const { type } = call;
  const { name, arguments: args, index } = inner;
  const _origin = originOf({
    ...(givenId === '' && { id: null }),
    ...(type !== undefined && { type: type as JsonValue }),
    ...(index !== undefined && { index: index as JsonValue }),
  });
  const others = without(call, inner === call ? BARE_CALL_KEYS : CALL_KEYS);
  const unread = inner === call ? NO_FIELDS : without(inner, FUNCTION_KEYS);
  const nested = unread === NO_FIELDS ? NO_FIELDS : { function: unread };
  return ToolCall.from({ ...others, ...nested, id, name, arguments: args, _origin }, path);
}

/** What a call has that is written without a `function`. */
const BARE_CALL_KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set([...CALL_KEYS, ...FUNCTION_KEYS]);

function without(fields: Fields, keys: ReadonlySet<string>): Fields {
  return picked(
    fields,
    Object.keys(fields).filter((key) => !keys.has(key)),
  );
}

function picked(fields: Fields, keys: readonly string[]): Fields {
  return keys.length === 0 ? NO_FIELDS : Object.fromEntries(keys.map((key) => [key, fields[key]]));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
