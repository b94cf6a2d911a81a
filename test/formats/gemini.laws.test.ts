import { fc, it } from '@fast-check/vitest';
import { Message, Messages, type MessageStore, validate } from 'message-store';
import { gemini, type GeminiPayload } from 'message-store/formats/gemini';
import { arbitraries, checkGemini } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';
import { damaged, damages, wellFormed } from '../turns/histories.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<any> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;

const text = any.text.filter((value) => value !== '');
const signature = fc.constantFrom('c2lnbmF0dXJl', 'skip_thought_signature_validator');
const sides = {
  thoughtSignature: signature,
  partMetadata: any.jsonObject,
  mediaResolution: is({ level: 'MEDIA_RESOLUTION_HIGH' }),
};
const displayName = text;
const textPart = object({ text }, sides);
const signedBlank = object({ text: is(''), thoughtSignature: signature });
const thoughtPart = object({ text, thought: fc.boolean() }, sides);
const blob = object(
  {
    mimeType: fc.constantFrom(
      ...['image/png', 'image/jpg', 'audio/mpeg', 'audio/wav', 'application/pdf', 'video/mp4'],
      ...['audio/L16;codec=pcm;rate=24000', 'text/plain;charset=utf-8', 'image/png;a,b', 'audio/', 'image', ''],
    ),
    data: fc.constantFrom('UklGRg==', 'data:audio/wav;base64,UklGRg==', ''),
  },
  { displayName },
);
const file = object(
  {
    mimeType: fc.constantFrom('image/png', 'image/jpg', 'application/pdf', 'video/mp4', 'text/plain;charset=utf-8'),
    fileUri: fc.constantFrom(
      'files/abc',
      'HTTP://EXAMPLE.com/a',
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'gs://bucket/a.pdf',
      'https://www.youtube.com/watch?v=1',
      'https://example.com/a.webp',
    ),
  },
  { displayName },
);
const inlinePart = object({ inlineData: blob }, { ...sides, thought: is(true) });
const filePart = object({ fileData: file }, { ...sides, videoMetadata: is({ fps: 1 }) });
const serverPart = fc.oneof(
  object({ executableCode: is({ language: 'PYTHON', code: 'print(1)' }) }, sides),
  object({ codeExecutionResult: is({ outcome: 'OUTCOME_OK', output: '1\n' }) }),
  object({ toolCall: is({ id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: {} }) }),
  object({ toolResponse: is({ id: 's1', response: { a: [] } }) }),
);
const userPart = fc.oneof(textPart, inlinePart, filePart);
const modelPart = fc.oneof(textPart, signedBlank, thoughtPart, inlinePart, serverPart);

const response = fc.oneof(
  object({ output: fc.oneof(text, is(''), is('{"a":1}'), any.json) }),
  object({ error: fc.oneof(text, any.json) }),
  any.jsonObject,
  object({ output: any.json, error: any.json }),
);
const media = fc.array(fc.oneof(object({ inlineData: blob }), object({ fileData: file })), {
  minLength: 1,
  maxLength: 2,
});
/** What each call of a turn has beside its name, and its answer. */
const called = fc.record({
  hasId: fc.boolean(),
  call: object({ name: fc.constantFrom('weather', 'plot.all') }, { args: any.jsonObject, willContinue: is(false) }),
  sides: object({}, { thoughtSignature: signature }),
  answer: object({ response }, { parts: media, scheduling: is('SILENT') }),
});

const role = { role: is('user') };
const contentOf = (part: fc.Arbitrary<unknown>) => fc.array(part, { minLength: 1, maxLength: 3 });
const said = object({ parts: contentOf(userPart) }, role).map((content) => [content]);
const spoken = object({ role: is('model'), parts: contentOf(modelPart) }).map((content) => [content]);
const turn = fc
  .record({
    user: object({ ...role, parts: contentOf(userPart) }),
    words: fc.array(modelPart, { maxLength: 3 }),
    calls: fc.array(called, { minLength: 1, maxLength: 3 }),
    order: fc.nat(),
    beside: fc.array(textPart, { maxLength: 1 }),
    shape: object({}, role),
  })
  .map(({ user, words, calls, order, beside, shape }) => {
    const ids = calls.map(({ hasId }, at) => (hasId ? { id: `call_${at}` } : {}));
    const asked = calls.map((one, at) => ({ functionCall: { ...ids[at], ...one.call }, ...one.sides }));
    const parts = words.toSpliced(order % (words.length + 1), 0, ...asked);
    const answers = calls.map((one, at) => ({
      functionResponse: { ...ids[at], name: one.call.name, ...one.answer },
    }));
    return [user, { role: 'model', parts }, { ...shape, parts: [...answers, ...beside] }];
  });
const contents = fc.array(fc.oneof(said, spoken, turn), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.flat());
const systemInstruction = object({ parts: contentOf(object({ text })) }, { role: fc.constantFrom('user', 'system') });
const request: fc.Arbitrary<GeminiPayload> = object({ contents }, { systemInstruction });

/** Whatever a store holds, so that it can be sent. */
const sent = (input: MessageStore | Messages) => gemini.encode(input, { openTurn: 'cancel' });
const NOTHING = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request])('goes out again as it came, with nothing to report', (wire) => {
    const { messages, report } = gemini.decode(wire);
    expect(report).toEqual(NOTHING);
    expect(gemini.encode(messages)).toEqual({ payload: wire, report: NOTHING });
    expect(gemini.encode(messages, { invalid: 'throw', losses: 'throw' }).payload).toEqual(wire);
  });

  it.prop([request])('goes out again after its way through a stored text, and is taken strictly', (wire) => {
    const stored = JSON.stringify(gemini.decode(wire, { strict: true }).messages);
    expect(gemini.encode(Messages.fromJSON(JSON.parse(stored))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    gemini.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = gemini.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    const { payload } = gemini.encode(messages);
    expect(payload).toEqual(wire);
    scribbleOver(payload);
    expect(gemini.encode(messages).payload).toEqual(wire);
  });
});

describe('plain text', () => {
  const words = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 });

  it.prop([words])('is read without detours as it is with them', (texts) => {
    const read = (role: string) => {
      const { messages, report } = gemini.decode(texts.map((said) => ({ role, parts: [{ text: said }] })));
      return [messages.map((message) => ({ ...message.toJSON(), id: '', createdAt: '' })), report];
    };
    expect(read('user')).toEqual(read('function'));
  });
});

describe('any history, valid or broken', () => {
  const history = fc.oneof(
    any.messages,
    fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
  );

  it.prop([history], { numRuns: 300 })('goes out as Gemini takes it', (messages) => {
    expect(checkGemini(sent(messages).payload)).toEqual([]);
  });

  it.prop([history, fc.constantFrom('siblings', 'none')])('goes out so with every option', (messages, toolMedia) => {
    const options = { openTurn: 'cancel', signatures: 'required', callIds: 'all', urls: 'drop', toolMedia } as const;
    const { payload } = gemini.encode(messages, options);
    expect(checkGemini(payload)).toEqual([]);
    for (const { parts } of payload.contents) {
      const first = parts.find((part) => 'functionCall' in part);
      expect(first?.thoughtSignature).not.toBe('');
      expect(first === undefined || typeof first.thoughtSignature === 'string').toBe(true);
    }
  });

  it.prop([history])('goes out the same each time, and stays as it was', (messages) => {
    const before = JSON.stringify(messages);
    const once = JSON.stringify(sent(messages));
    scribbleOver(sent(messages).payload);
    expect(JSON.stringify(sent(messages))).toBe(once);
    expect(JSON.stringify(messages)).toBe(before);
  });

  it.prop([history])('comes back as a history whose calls are answered', (messages) => {
    const payload: unknown = JSON.parse(JSON.stringify(sent(messages).payload));
    const again = gemini.decode(payload, { strict: true });
    expect(again.report).toEqual(NOTHING);
    expect(validate(again.messages, { allowOpenTail: false })).toEqual([]);
    expect(gemini.encode(again.messages)).toEqual({ payload, report: NOTHING });
  });

  it.prop([wellFormed, fc.array(any.text, { minLength: 1, maxLength: 3 })])(
    'keeps the bytes of all contents but the last when it grows',
    (messages, more) => {
      const before = sent(messages).payload.contents.slice(0, -1);
      const grown = messages.appendMessages(
        more.map((content, at) => Message.make(at % 2 ? 'assistant' : 'user', content)),
      );
      const after = sent(grown).payload.contents.slice(0, before.length);
      expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    },
  );
});
