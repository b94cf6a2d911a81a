import { fc, it } from '@fast-check/vitest';
import { Messages, type MessageStore, validate } from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries, checkOpenAIChat } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
) => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;

const text = any.text;
const cacheMark = is({ mode: 'explicit' });
const textPart = object({ type: is('text'), text }, { prompt_cache_breakpoint: cacheMark });
const imagePart = object({
  type: is('image_url'),
  image_url: object({ url: fc.webUrl() }, { detail: fc.constantFrom('auto', 'low', 'high', 'original') }),
});
const audioPart = object({
  type: is('input_audio'),
  input_audio: object({ data: is('UklGRg=='), format: fc.constantFrom('wav', 'mp3') }),
});
const filePart = object({
  type: is('file'),
  file: fc.oneof(
    object({ file_id: is('file-1') }),
    object({ filename: text, file_data: is('data:application/pdf;base64,JVBERi0=') }),
  ),
});
const refusalPart = object({ type: is('refusal'), refusal: text });

/** Parts as a list; a single plain text part is the same as its text, and comes back as that. */
const listOf = (part: fc.Arbitrary<object>) =>
  fc
    .array(part, { minLength: 1, maxLength: 3 })
    .filter(([first, ...others]) => others.length > 0 || !isPlainText(first));
const isPlainText = (part: object = {}): boolean => 'text' in part && Object.keys(part).length === 2;
const contentOf = (part: fc.Arbitrary<object>) => fc.oneof(text, listOf(part));

const id = fc.constantFrom('call_1', 'call_2', 'x'.repeat(64), 'ключ');
const args = fc.oneof(
  any.jsonObject.map((value) => JSON.stringify(value)),
  is('{ "n": 12345678901234567890 }'),
);
const toolCall = fc.oneof(
  object({ id, type: is('function'), function: object({ name: is('weather'), arguments: args }) }),
  object({ id, type: is('custom'), custom: object({ name: is('sql'), input: text }) }),
);
const tool_calls = fc.uniqueArray(toolCall, {
  minLength: 1,
  maxLength: 2,
  selector: (call) => (call as { id: string }).id,
});
const refusal = fc.oneof(is(null), text);
const name = fc.constantFrom('ada', 'bob');
const vendor = any.json.filter((value) => value !== null && !(Array.isArray(value) && value.length === 0));

const single = fc.oneof(
  object({ role: fc.constantFrom('system', 'developer'), content: contentOf(textPart) }, { name, vendor }),
  object(
    { role: is('user'), content: contentOf(fc.oneof(textPart, imagePart, audioPart, filePart)) },
    { name, vendor },
  ),
  object({ role: is('assistant'), content: contentOf(fc.oneof(textPart, refusalPart)) }, { name, refusal, vendor }),
  object({ role: is('assistant'), content: is(null), refusal: text }),
  object({ role: is('assistant'), content: is(null), audio: object({ id: is('audio_1') }) }),
);
const asking = fc.oneof(
  object(
    { role: is('assistant'), content: contentOf(fc.oneof(textPart, refusalPart)), tool_calls },
    { name, refusal, vendor },
  ),
  object({ role: is('assistant'), content: is(null), tool_calls }, { name, refusal }),
);
/** A turn with an answer to each of its calls. */
const turn = fc.tuple(asking, contentOf(textPart)).map(([asked, content]) => {
  const { tool_calls: calls } = asked as { tool_calls: { id: string }[] };
  return [asked, ...calls.map((call) => ({ role: 'tool', content, tool_call_id: call.id }))];
});
const exchange = fc.oneof(
  single.map((message) => [message]),
  turn,
);
const request = fc.array(exchange, { maxLength: 5 }).map((exchanges) => ({ messages: exchanges.flat() }));
/** Whatever a store holds, so that it can be sent. */
const sent = (store: MessageStore) => openaiChat.encode(store, { openTurn: 'cancel' });

describe('any request', () => {
  it.prop([request])('goes out again as it came, with nothing to report', (wire) => {
    const { messages, report } = openaiChat.decode(wire);
    expect(report).toEqual({ losses: [], repairs: [] });
    expect(openaiChat.encode(messages)).toEqual({ payload: wire, report: { losses: [], repairs: [] } });
  });

  it.prop([request])('goes out again after its way through a stored text', (wire) => {
    const { messages } = openaiChat.decode(wire);
    const stored = JSON.stringify(messages);
    expect(openaiChat.encode(Messages.fromJSON(JSON.parse(stored))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    openaiChat.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = openaiChat.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    expect(openaiChat.encode(messages).payload).toEqual(wire);
  });
});

describe('any store', () => {
  it.prop([any.store])('is encoded the same each time, and stays as it was', (store) => {
    const text = JSON.stringify(store);
    const once = JSON.stringify(sent(store));
    expect(JSON.stringify(sent(store))).toBe(once);
    expect(JSON.stringify(store)).toBe(text);
  });

  it.prop([any.store])('does not change with the payload that was made of it', (store) => {
    const text = JSON.stringify(store);
    const { payload } = sent(store);
    const once = JSON.stringify(payload);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(text);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('gives one wire message for each of its own, or tells which it left out or made up', (store) => {
    const { payload, report } = sent(store);
    const told = [...report.losses, ...report.repairs];
    const count = (...rules: string[]) => told.filter(({ rule }) => rules.includes(rule)).length;
    const size = store.toMessages().size + count('synthesised') - count('emptied-message', 'dropped', 'joined');
    // What the tools of a turn gave beside text goes out in one message more.
    const media = payload.messages.length - size;
    expect(media).toBeGreaterThanOrEqual(Math.min(1, count('tool-media')));
    expect(media).toBeLessThanOrEqual(count('tool-media'));
    for (const { path } of told) expect(path).toMatch(/^messages\[\d+\]/);
  });

  it.prop([any.store])('breaks no rule of the API', (store) => {
    expect(checkOpenAIChat(sent(store).payload)).toEqual([]);
  });

  it.prop([any.store])('is sent with an answer right behind each call', (store) => {
    const { messages } = openaiChat.decode(sent(store).payload);
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
    expect(openaiChat.encode(messages, { invalid: 'throw' }).report.repairs).toEqual([]);
  });

  it.prop([any.store])('sends what the wire knows, and what came from there', (store) => {
    const { payload } = sent(store);
    const internal = ['id', 'createdAt', 'parentId', 'metadata', '_metadata', '_origin', 'tool_result', 'incomplete'];
    const keys = payload.messages.flatMap((message) => Object.keys(message));
    expect(keys.filter((key) => internal.includes(key))).toEqual([]);
    expect(JSON.stringify(payload).isWellFormed()).toBe(true);
  });

  it.prop([any.store])('settles at the second time when what was sent comes back', (store) => {
    const sentAgain = (payload: unknown): unknown => openaiChat.encode(openaiChat.decode(payload).messages).payload;
    const second = sentAgain(sent(store).payload);
    expect(sentAgain(second)).toEqual(second);
  });
});
