import type FastCheck from 'fast-check';
import { Content } from '../model/content.ts';
import { ContentPart } from '../model/content-part.ts';
import { Message, type MessageInput } from '../model/message.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import { Metadata } from '../model/metadata.ts';
import { Section } from '../model/section.ts';
import { Sections } from '../model/sections.ts';
import { ToolCall } from '../model/tool-call.ts';
import { ToolCalls } from '../model/tool-calls.ts';
import { ToolResult } from '../model/tool-result.ts';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import type { Origin } from '../schema/origin.ts';
import { ROLES } from '../schema/role.ts';
import { STATUSES } from '../schema/tool-result.ts';

type Fc = typeof FastCheck;
type Arbitrary<T> = FastCheck.Arbitrary<T>;

/**
 * Arbitrary values, odd but legal ones among them: blank parts, marks, unknown part types, keys like `__proto__`,
 * fields without a meaning, origins, cut streams, malformed arguments, custom calls, any role with any content.
 */
export interface Arbitraries {
  /** Well-formed text of any script, often blank or awkward. */
  readonly text: Arbitrary<string>;
  readonly json: Arbitrary<JsonValue>;
  readonly jsonObject: Arbitrary<JsonObject>;
  /** An id of a message or a tool call. */
  readonly id: Arbitrary<string>;
  readonly origin: Arbitrary<Origin>;
  readonly metadata: Arbitrary<Metadata>;
  readonly part: Arbitrary<ContentPart>;
  readonly content: Arbitrary<Content>;
  readonly toolCall: Arbitrary<ToolCall>;
  readonly toolCalls: Arbitrary<ToolCalls>;
  readonly toolResult: Arbitrary<ToolResult>;
  readonly message: Arbitrary<Message>;
  /** What can stand for a message: text, part lists, objects in our form, OpenAI's and the legacy one. */
  readonly messageInput: Arbitrary<MessageInput>;
  /** Messages, built in one piece or by appending and prepending. */
  readonly messages: Arbitrary<Messages>;
  readonly section: Arbitrary<Section>;
  readonly sections: Arbitrary<Sections>;
  readonly store: Arbitrary<MessageStore>;
}

/**
 * The arbitraries, over the fast-check of the caller.
 *
 * @example
 * import * as fc from 'fast-check';
 * import { MessageStore } from 'message-store';
 * import { arbitraries } from 'message-store/testing';
 * fc.assert(fc.property(arbitraries(fc).store, (store) => MessageStore.fromJSON(store.toJSON()).equals(store)));
 */
export function arbitraries(fc: Fc): Arbitraries {
  const { text, json, jsonObject } = jsonArbitraries(fc);
  const id = idArbitrary(fc);
  const origin = originArbitrary(fc, json);
  const metadata = jsonObject.map((entries) => Metadata.of(entries));
  const base: Base = { text, json, jsonObject, id, origin, metadata };
  const part = partArbitrary(fc, base);
  const content = contentArbitrary(fc, text, part);
  const toolCall = toolCallArbitrary(fc, base);
  const toolCalls = fc.array(toolCall, { maxLength: 3 }).map((calls) => ToolCalls.of(...calls));
  const toolResult = toolResultArbitrary(fc, base, content);
  const parts: Parts = { part, content, toolCall, toolCalls, toolResult };
  const messageInput = messageInputArbitrary(fc, base, parts);
  const message = messageArbitrary(fc, base, parts, messageInput);
  const messages = messagesArbitrary(fc, message);
  const section = sectionArbitrary(fc, base, messages);
  const sections = fc
    .uniqueArray(section, { maxLength: 4, selector: ({ name }) => name })
    .map((list) => Sections.of(...list));
  const store = storeArbitrary(fc, base, sections);
  return { ...base, ...parts, messageInput, message, messages, section, sections, store };
}

type Base = Pick<Arbitraries, 'text' | 'json' | 'jsonObject' | 'id' | 'origin' | 'metadata'>;
type Parts = Pick<Arbitraries, 'part' | 'content' | 'toolCall' | 'toolCalls' | 'toolResult'>;

const AWKWARD_TEXTS = ['', ' ', '\n', '0', 'null', '[]', '{}', '😀', 'é', '\u2028', '\u0000', '</s>', '🤦🏼‍♂️'] as const;
const AWKWARD_KEYS = ['__proto__', 'constructor', 'toString', 'type', 'text', 'id', '0', '10', '', '_private'] as const;

function jsonArbitraries(fc: Fc): Pick<Arbitraries, 'text' | 'json' | 'jsonObject'> {
  const text = fc.oneof(fc.constantFrom(...AWKWARD_TEXTS), fc.string({ unit: 'binary', maxLength: 12 }));
  const key = fc.oneof(fc.constantFrom(...AWKWARD_KEYS), fc.string({ unit: 'grapheme', maxLength: 5 }));
  // JSON text has no negative zero that would come back as one.
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
  const number = fc.oneof(fc.integer(), double);
  const { json, jsonObject } = fc.letrec<{ json: JsonValue; jsonObject: JsonObject }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(text, number, fc.boolean(), fc.constant(null)),
      fc.array(tie('json'), { maxLength: 3 }),
      tie('jsonObject'),
    ),
    jsonObject: fc.array(fc.tuple(key, tie('json')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  }));
  return { text, json, jsonObject };
}

function idArbitrary(fc: Fc): Arbitrary<string> {
  return fc.oneof(
    fc.uuid(),
    fc.constantFrom('call_1', 'call_2', 'msg_01XYZ', 'x7hnCHCUxY15RGl4', '__proto__', 'ключ', ' '),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  );
}

function originArbitrary(fc: Fc, json: Arbitrary<JsonValue>): Arbitrary<Origin> {
  const provider = fc.constantFrom('openai-chat', 'anthropic', 'gemini', 'mine');
  return fc.record(
    { provider, model: fc.constantFrom('small', 'large'), data: json },
    { requiredKeys: ['provider'], noNullPrototype: true },
  );
}

/** Fields with or without values, on a plain object. */
function fields<T extends object>(fc: Fc, model: { [Key in keyof T]: Arbitrary<T[Key]> }): Arbitrary<Partial<T>> {
  return fc.record(model, { requiredKeys: [], noNullPrototype: true }) as Arbitrary<Partial<T>>;
}

/** Fields that have no meaning here, under names that no record uses. */
function extraArbitrary(fc: Fc, { json }: Pick<Base, 'json'>): Arbitrary<Record<string, unknown>> {
  const key = fc.constantFrom('vendor', 'refusal', 'annotations', '__proto__', 'constructor', '_private', '10');
  const some = fc
    .array(fc.tuple(key, json), { minLength: 1, maxLength: 2 })
    .map((entries) => Object.fromEntries(entries));
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
}

function partArbitrary(fc: Fc, { text, json, jsonObject, id, origin }: Base): Arbitrary<ContentPart> {
  const mime = fc.constantFrom('image/png', 'application/pdf', 'text/plain;charset=utf-8');
  const bytes = fc.uint8Array({ maxLength: 8 });
  const known = fc.oneof(
    text.map((value) => ContentPart.text(value)),
    fc.tuple(text, jsonObject).map(([value, more]) => ContentPart.of('text', { ...more, text: value })),
    fc.webUrl().map((url) => ContentPart.imageUrl(url)),
    fc
      .tuple(bytes, mime)
      .map(([url, mime_type]) => ContentPart.from({ type: 'image_url', image_url: { url, mime_type } })),
    fc.tuple(bytes, text).map(([file_data, file_name]) => ContentPart.from({ type: 'file', file_data, file_name })),
    id.map((file_id) => ContentPart.from({ type: 'file', file: { file_id } })),
    bytes.map((data) => ContentPart.from({ type: 'input_audio', data, format: 'wav' })),
  );
  const special = fc.oneof(
    fc.tuple(text, fc.option(origin, { nil: undefined })).map(([value, from]) => ContentPart.reasoning(value, from)),
    text.map((refusal) => ContentPart.refusal(refusal)),
    fc.constantFrom('call_1', 'call_2').map((callId) => ContentPart.of('tool_call', { id: callId })),
  );
  const type = fc.constantFrom('text', 'image_url', 'file', 'input_audio', 'video', 'thinking', '', '__proto__');
  const odd = fc.oneof(
    fc.tuple(type, jsonObject).map(([kind, of]) => ContentPart.of(kind, of)),
    fc.tuple(type, jsonObject, json).map(([kind, of, inner]) => ContentPart.from({ ...of, file: inner, type: kind })),
  );
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 2, arbitrary: special }, { weight: 1, arbitrary: odd });
}

function contentArbitrary(fc: Fc, text: Arbitrary<string>, part: Arbitrary<ContentPart>): Arbitrary<Content> {
  return fc.oneof(
    text.map((value) => Content.text(value)),
    fc.array(part, { maxLength: 4 }).map((parts) => Content.of(...parts)),
  );
}

const AWKWARD_ARGUMENTS = [
  '',
  '{"a": 1}',
  '{"n":12345678901234567890}',
  '{"a":1,"a":2}',
  '{"b":1,"1":2}',
  '{"a":-0}',
  '[1]',
  'about forty two',
  '{"city":"Os',
] as const;

function toolCallArbitrary(fc: Fc, base: Base): Arbitrary<ToolCall> {
  const { text, jsonObject, id, origin } = base;
  const args = fc.oneof(jsonObject, fc.constantFrom(...AWKWARD_ARGUMENTS), text);
  const exact = fc
    .record({ name: text, args, more: fields(fc, { id, origin, kind: fc.constantFrom('function', 'custom') }) })
    .map(({ more, ...own }) => ToolCall.of({ ...own, ...more }));
  const loose = fc
    .record({ id: fc.constantFrom('call_1', 'call_2'), args: jsonObject, extra: extraArbitrary(fc, base) })
    .map(({ id: callId, args: given, extra }) =>
      ToolCall.from({
        ...extra,
        id: callId,
        type: 'function',
        function: { name: 'f', arguments: JSON.stringify(given) },
      }),
    );
  return fc.oneof(exact, loose);
}

function toolResultArbitrary(fc: Fc, base: Base, content: Arbitrary<Content>): Arbitrary<ToolResult> {
  const { id, text } = base;
  const exact = fc
    .record({
      content,
      more: fields(fc, { callId: id, toolName: text, status: fc.constantFrom(...STATUSES), synthetic: fc.boolean() }),
    })
    .map(({ more, ...own }) => ToolResult.of({ ...own, ...more }));
  const loose = fc
    .record({ content: text, tool_call_id: id, extra: extraArbitrary(fc, base) })
    .map(({ extra, ...own }) => ToolResult.from({ ...extra, ...own }));
  return fc.oneof(exact, loose);
}

function messageInputArbitrary(fc: Fc, base: Base, { part, toolCall }: Parts): Arbitrary<MessageInput> {
  const { text, jsonObject, id } = base;
  const partJSON = part.map((value) => value.toJSON());
  const content = fc.oneof(text, fc.array(partJSON, { minLength: 1, maxLength: 3 }), fc.constant(null));
  const ours = fc
    .record({
      own: fc.record({ role: fc.constantFrom(...ROLES), content }, { noNullPrototype: true }),
      more: fields(fc, { name: text, _metadata: jsonObject, metadata: jsonObject, id, parentId: id }),
      extra: extraArbitrary(fc, base),
    })
    .map(({ own, more, extra }) => ({ ...extra, ...own, ...more }));
  const calls = fc.array(
    toolCall.map((value) => value.toJSON()),
    { minLength: 1, maxLength: 2 },
  );
  const openai = fc.oneof(
    calls.map((tool_calls) => ({ role: 'assistant', content: null, tool_calls })),
    fc.record({ content: text, tool_call_id: id }, { noNullPrototype: true }).map((own) => ({ role: 'tool', ...own })),
  );
  const legacy = calls.map((tool_calls) => ({ role: 'assistant', content: '', _metadata: { tool_calls } }));
  return fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 2 }), part, ours, openai, legacy);
}

function messageArbitrary(
  fc: Fc,
  base: Base,
  { content, toolCalls, toolResult }: Parts,
  messageInput: Arbitrary<MessageInput>,
): Arbitrary<Message> {
  const { text, id, origin, metadata } = base;
  const some = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 3 });
  const rarely = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  const exact = fc
    .record({
      role: fc.constantFrom(...ROLES),
      content,
      name: fc.oneof(fc.constant(''), text),
      metadata: some(metadata),
      toolCalls: some(toolCalls),
      toolResult: rarely(toolResult),
      id: some(id),
      createdAt: some(timeArbitrary(fc)),
      parentId: rarely(id),
      origin: rarely(origin),
      incomplete: rarely(text.map((reason) => ({ reason }))),
      extra: extraArbitrary(fc, base),
    })
    .map((own) => Message.of(own));
  return fc.oneof(
    { weight: 3, arbitrary: exact },
    { weight: 2, arbitrary: messageInput.map((input) => Message.from(input)) },
  );
}

function timeArbitrary(fc: Fc): Arbitrary<Date> {
  return fc.date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
}

function messagesArbitrary(fc: Fc, message: Arbitrary<Message>): Arbitrary<Messages> {
  const list = fc.array(message, { maxLength: 6 }).map((items) => Messages.of(...items));
  const few = fc.array(message, { maxLength: 3 });
  const grown = fc
    .record({ front: few, middle: list, back: few })
    .map(({ front, middle, back }) =>
      back.reduce((grew, item) => grew.appendMessage(item), middle.prependMessages(front)),
    );
  return fc.oneof(list, grown);
}

function sectionArbitrary(fc: Fc, base: Base, messages: Arbitrary<Messages>): Arbitrary<Section> {
  const name = fc.oneof(fc.constantFrom('system', 'chat', 'examples', '2024', '__proto__', ''), base.text);
  return fc
    .record({ name, messages, more: fields(fc, { policy: base.jsonObject }), extra: extraArbitrary(fc, base) })
    .map(({ more, extra, ...own }) => Section.from({ ...extra, ...own, ...more }));
}

function storeArbitrary(fc: Fc, base: Base, sections: Arbitrary<Sections>): Arbitrary<MessageStore> {
  return fc
    .record({ sections, parameters: base.metadata, extra: extraArbitrary(fc, base) })
    .map(({ extra, ...own }) => MessageStore.from({ ...extra, ...own }));
}
