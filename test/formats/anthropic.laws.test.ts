import { fc, it } from '@fast-check/vitest';
import { ContentPart, Message, Messages, type MessageStore, validate } from 'message-store';
import { anthropic } from 'message-store/formats/anthropic';
import { arbitraries, checkAnthropic } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';
import { damaged, damages, wellFormed } from '../turns/histories.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
) => fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;

const said = any.text.filter((text) => text.trim() !== '');
/** Few, so that a request has no more than it may have. */
const mark = fc.oneof(
  { weight: 20, arbitrary: is(null) },
  { weight: 1, arbitrary: is({ type: 'ephemeral' }) },
  { weight: 1, arbitrary: is({ type: 'ephemeral', ttl: '1h' }) },
);
const cache_control = { cache_control: mark };
const citation = is({
  type: 'char_location',
  cited_text: 'x',
  document_index: 0,
  document_title: null,
  start_char_index: 0,
  end_char_index: 1,
});
const citations = fc.oneof(is(null), fc.array(citation, { maxLength: 1 }));
const text = object({ type: is('text'), text: said }, { ...cache_control, citations });
const image = object(
  {
    type: is('image'),
    source: fc.oneof(
      object({ type: is('base64'), media_type: fc.constantFrom('image/png', 'image/webp'), data: is('AAAA') }),
      object({ type: is('url'), url: fc.webUrl() }),
      object({ type: is('file'), file_id: any.id }),
    ),
  },
  { ...cache_control, transformations: is({ oversized_image: 'downsize' }) },
);
const document = object(
  {
    type: is('document'),
    source: fc.oneof(
      object({ type: is('base64'), media_type: is('application/pdf'), data: is('JVBERi0=') }),
      object({ type: is('text'), media_type: is('text/plain'), data: fc.oneof(said, is('\ufeffÄ\u0000')) }),
      object({ type: is('url'), url: fc.webUrl() }),
      object({ type: is('file'), file_id: any.id }),
      object({ type: is('content'), content: fc.array(text, { maxLength: 2 }) }),
    ),
  },
  { ...cache_control, title: fc.oneof(is(null), said), context: said, citations: is({ enabled: true }) },
);
const search = object({
  type: is('search_result'),
  source: fc.webUrl(),
  title: said,
  content: fc.array(text, { minLength: 1, maxLength: 1 }),
});
const future = object({ type: fc.constantFrom('future', 'file_search', 'x-1'), x: any.json });
const thinking = fc.oneof(
  object({ type: is('thinking'), thinking: any.text, signature: is('c2ln') }),
  object({ type: is('redacted_thinking'), data: is('RU5D') }),
);
const serverTool = object({
  type: is('server_tool_use'),
  id: is('srvtoolu_1'),
  name: is('web_search'),
  input: any.jsonObject,
});

const listOf = (...blocks: readonly fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...blocks), { minLength: 1, maxLength: 3 });
const userContent = fc.oneof(said, listOf(text, image, document, search, future));
const user = object({ role: is('user'), content: userContent });
/** A tool of the provider with its answer: the API takes neither alone. */
const searched = serverTool.map((use) => [
  use,
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
]);
const one = (block: object) => [block];
/** Thinking never ends what is said: the API refuses that. */
const spoken = fc
  .tuple(
    fc.array(fc.oneof(text.map(one), thinking.map(one), searched, future.map(one)), { maxLength: 2 }),
    fc.oneof(text.map(one), searched, future.map(one)),
  )
  .map(([before, last]) => [...before.flat(), ...last]);
const speaking = object({ role: is('assistant'), content: fc.oneof(said, spoken) });
const result = object(
  { type: is('tool_result') },
  {
    content: fc.oneof(
      any.text.filter((one) => one === '' || one.trim() !== ''),
      fc.array(fc.oneof(text, image, document, search), { maxLength: 2 }),
    ),
    is_error: is(false),
    toolset_name: fc.oneof(is(null), is('tools')),
    ...cache_control,
  },
);
const call = object(
  { type: is('tool_use'), name: fc.constantFrom('weather', 'a-b_C'), input: any.jsonObject },
  { caller: is({ type: 'direct' }), toolset_name: is(null), ...cache_control },
);
interface Turn {
  readonly before: object[];
  readonly calls: object[];
  readonly between: object[];
  readonly results: object[];
  readonly behind: object[];
}
const turn = fc.record<Turn>({
  before: fc.array(fc.oneof(text, thinking), { maxLength: 2 }),
  calls: fc.array(call, { minLength: 2, maxLength: 2 }),
  between: fc.array(text, { maxLength: 1 }),
  results: fc.array(result, { minLength: 2, maxLength: 2 }),
  behind: fc.array(fc.oneof(text, image), { maxLength: 2 }),
});

/** A turn, its ids unlike those of all others. */
function messagesOf({ before, calls: [first, second], between, results, behind }: Turn, at: number): object[] {
  const [one, two] = [`toolu_${at}a`, `toolu_${at}b`];
  return [
    { role: 'assistant', content: [...before, { ...first, id: one }, ...between, { ...second, id: two }] },
    {
      role: 'user',
      content: [...results.map((of, index) => ({ ...of, tool_use_id: [one, two][index] })), ...behind],
    },
  ];
}

const instructions = object({ role: is('system'), content: fc.oneof(said, listOf(text)) });
const steered = fc
  .record({ before: user, middle: fc.array(instructions, { minLength: 1, maxLength: 2 }), behind: speaking })
  .map(({ before, middle, behind }) => [before, ...middle, behind]);
const piece = fc.oneof(
  user.map((message) => () => [message]),
  speaking.map((message) => () => [message]),
  steered.map((messages) => () => messages),
  turn.map((of) => (at: number) => messagesOf(of, at)),
);
const request = fc
  .record(
    { first: user, pieces: fc.array(piece, { maxLength: 4 }), last: user, system: fc.oneof(said, listOf(text)) },
    { requiredKeys: ['first', 'pieces', 'last'], noNullPrototype: true },
  )
  .map(({ first, pieces, last, system }) => ({
    ...(system !== undefined && { system }),
    messages: [first, ...pieces.flatMap((make, at) => make(at)), last],
  }))
  .filter((wire) => (JSON.stringify(wire).match(/"cache_control":{/g) ?? []).length <= 4);

/** Whatever a store holds, so that it can be sent. */
const sent = (input: MessageStore | Messages) => anthropic.encode(input, { openTurn: 'cancel' });
/** Keys of generated values that go back where their message came from this provider. */
const REPLAYED = ['vendor', 'refusal', 'annotations', '__proto__', 'constructor', '10'];
const broken = (payload: unknown) => checkAnthropic(payload, REPLAYED);
const NOTHING = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request])('goes out again as it came, with nothing to report', (wire) => {
    const { messages, report } = anthropic.decode(wire);
    expect(report).toEqual(NOTHING);
    expect(anthropic.encode(messages)).toEqual({ payload: wire, report: NOTHING });
  });

  it.prop([request])('goes out again after its way through a stored text', (wire) => {
    const stored = JSON.stringify(anthropic.decode(wire).messages);
    expect(anthropic.encode(Messages.fromJSON(JSON.parse(stored))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    anthropic.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = anthropic.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    expect(anthropic.encode(messages).payload).toEqual(wire);
  });

  it.prop([request])('is read strictly as it is read otherwise', (wire) => {
    expect(anthropic.decode(wire, { strict: true }).messages.size).toBe(anthropic.decode(wire).messages.size);
  });
});

describe('any history', () => {
  it.prop([any.messages])('is sent as one that the provider takes', (messages) => {
    expect(broken(sent(messages).payload)).toEqual([]);
  });

  it.prop([wellFormed, damages])(
    'is sent as one that the provider takes, whatever went wrong with it',
    (messages, list) => {
      const history = damaged(messages, list);
      for (const options of [{}, { systemInMessages: true, prefill: false, foreignReasoning: 'text' }] as const)
        expect(checkAnthropic(anthropic.encode(history, { openTurn: 'cancel', ...options }).payload)).toEqual([]);
    },
  );

  it.prop([any.messages, fc.array(fc.constantFrom('user', 'assistant', 'system'), { maxLength: 5 })])(
    'has at most four cache marks, the last ones',
    (messages, roles) => {
      const part = ContentPart.of('text', { text: 'x', cache_control: { type: 'ephemeral' } });
      const marked = messages.appendMessages(roles.map((role) => Message.of({ role, content: part })));
      expect(broken(sent(marked).payload)).toEqual([]);
    },
  );

  it.prop([wellFormed, wellFormed])('keeps the bytes of all messages but the last when it grows', (messages, more) => {
    const before = sent(messages).payload.messages.slice(0, -1);
    const after = sent(messages.appendMessages(more)).payload.messages;
    expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
  });
});

describe('any store', () => {
  it.prop([any.store])('is sent as one that the provider takes, the same each time, and stays as it was', (store) => {
    const text = JSON.stringify(store);
    const { payload } = sent(store);
    expect(broken(payload)).toEqual([]);
    const once = JSON.stringify(payload);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(text);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('is sent with an answer right behind each call', (store) => {
    const { messages } = anthropic.decode(sent(store).payload);
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
  });

  it.prop([any.store])('tells of each loss and repair where it is', (store) => {
    const { report } = sent(store);
    for (const { path } of [...report.losses, ...report.repairs]) expect(path).toMatch(/^messages(\[\d+\]|$)/);
  });

  it.prop([any.store])('settles at the second time when what was sent comes back', (store) => {
    const sentAgain = (payload: unknown): unknown => anthropic.encode(anthropic.decode(payload).messages).payload;
    const second = sentAgain(sent(store).payload);
    expect(sentAgain(second)).toEqual(second);
  });
});
