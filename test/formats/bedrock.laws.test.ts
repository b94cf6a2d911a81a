import { fc, it } from '@fast-check/vitest';
import { ContentPart, Message, Messages, type MessageStore, validate } from 'message-store';
import { bedrock, toSdk } from 'message-store/formats/bedrock';
import { arbitraries, checkBedrock } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { deepFrozen, scribbleOver } from '../support/model-values.ts';
import { damaged, damages, wellFormed } from '../turns/histories.ts';
import { conversationPart } from '../support/bedrock.ts';

const any = arbitraries(fc);

/** An object of these fields, some of which may be missing. */
const object = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<any> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const is = fc.constant;
const from = fc.constantFrom;

const said = any.text.filter((one) => one.trim() !== '');
const text = object({ text: said });
const bytes = object({ bytes: from('AAAA', 'iVBORw0KGgo=', '/9j/4AAQ', 'UklGRg==') });
const inS3 = object({
  s3Location: object({ uri: from('s3://b/a.png', 's3://b/a.mp4', 's3://b/a') }, { bucketOwner: is('123456789012') }),
});
const source = fc.oneof(bytes, inS3);
const media = (kind: string, ...formats: string[]) => object({ [kind]: object({ format: from(...formats), source }) });
const image = media('image', 'png', 'jpeg', 'gif', 'webp');
const video = media('video', 'mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp');
const audio = media('audio', 'mp3', 'wav', 'x-aac', 'mkv', 'webm', 'pcm');
const documentSource = fc.oneof(source, object({ text: said }), object({ content: fc.array(text, { maxLength: 2 }) }));
/** Its name is made unique where it is put into a request. */
const document = object({
  document: object(
    { name: is(''), source: documentSource },
    {
      format: from('pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'),
      context: said,
      citations: object({ enabled: fc.boolean() }),
    },
  ),
});
const searchResult = object({
  searchResult: object({ source: said, title: said, content: fc.array(text, { minLength: 1, maxLength: 2 }) }),
});
const guarded = object({
  guardContent: object({ text: object({ text: said }, { qualifiers: is(['query']) }) }),
});
const cited = object({
  citationsContent: object({
    content: fc.array(text, { minLength: 1, maxLength: 2 }),
    citations: is([{ title: 'x', location: { web: { url: 'https://a.test', domain: 'a.test' } } }]),
  }),
});
const thought = fc.oneof(
  object({ reasoningContent: object({ reasoningText: object({ text: any.text, signature: is('c2ln') }) }) }),
  object({ reasoningContent: object({ redactedContent: is('RU5D') }) }),
);
const serverTool = object({
  toolUse: object({ toolUseId: is('srv_1'), name: is('web'), input: any.jsonObject, type: is('server_tool_use') }),
});
const future = object({ future: any.jsonObject });
const cachePoint = object({ cachePoint: object({ type: is('default') }, { ttl: from('5m', '1h') }) });

/** Few cache points, so that a request has no more than it may have. */
const listOf = (...blocks: readonly fc.Arbitrary<any>[]) =>
  fc.array(fc.oneof({ weight: 9, arbitrary: fc.oneof(...blocks) }, { weight: 1, arbitrary: cachePoint }), {
    maxLength: 3,
  });
/** What is said for certain, in the middle of other things. */
const around = (...blocks: readonly fc.Arbitrary<any>[]) =>
  fc.tuple(listOf(...blocks), text, listOf(...blocks)).map(([before, one, behind]) => [...before, one, ...behind]);

const userContent = around(text, image, video, audio, document, searchResult, guarded, future);
/** Thinking never ends what is said: models refuse that. */
const spoken = fc
  .tuple(around(text, cited, thought, serverTool, future), text)
  .map(([blocks, last]) => ('reasoningContent' in blocks.at(-1) ? [...blocks, last] : blocks));
const instructions = around(text, guarded);
const result = object(
  { content: fc.array(fc.oneof(text, image, video, searchResult, object({ json: any.jsonObject })), { maxLength: 2 }) },
  { status: is('success'), type: is('custom') },
);
const call = object({ name: from('weather', 'a-b_C'), input: any.jsonObject });

const turn = fc.record({
  before: listOf(text, thought),
  calls: fc.array(call, { minLength: 2, maxLength: 2 }),
  between: listOf(text),
  results: fc.array(result, { minLength: 2, maxLength: 2 }),
  behind: fc.oneof(is([]), around(text, image)),
});
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

/** A turn, its ids unlike those of all others. */
function messagesOf({ before, calls: [first, second], between, results, behind }: Turn, at: number): object[] {
  const ids = [`tooluse_${at}.a`, `tooluse_${at}:b`];
  const [one, two] = [first, second].map((toolUse, index) => ({ toolUse: { ...toolUse, toolUseId: ids[index] } }));
  const answers = results.map((toolResult, index) => ({ toolResult: { ...toolResult, toolUseId: ids[index] } }));
  return [
    { role: 'assistant', content: [...before, one, ...between, two] },
    { role: 'user', content: [...answers, ...behind] },
  ];
}

const exchange = fc.oneof(
  fc.tuple(spoken, userContent).map(([a, u]) => (): object[] => [
    { role: 'assistant', content: a },
    { role: 'user', content: u },
  ]),
  fc.tuple(instructions, spoken, userContent).map(([s, a, u]) => (): object[] => [
    { role: 'system', content: s },
    { role: 'assistant', content: a },
    { role: 'user', content: u },
  ]),
  turn.map((of) => (at: number) => messagesOf(of, at)),
);

/** A copy in which each document has a name of its own. */
function withNames<T>(wire: T): T {
  let count = 0;
  return JSON.parse(JSON.stringify(wire), (key, value: any) =>
    key === 'document' ? { ...value, name: `paper [${++count}]` } : value,
  ) as T;
}

const request = fc
  .record(
    { first: userContent, exchanges: fc.array(exchange, { maxLength: 4 }), system: instructions },
    { requiredKeys: ['first', 'exchanges'], noNullPrototype: true },
  )
  .map(({ first, exchanges, system }) =>
    withNames({
      ...(system !== undefined && { system }),
      messages: [{ role: 'user', content: first }, ...exchanges.flatMap((make, at) => make(at))],
    }),
  )
  .filter((wire) => checkBedrock(wire, { toolConfig: false }).every((rule) => rule.includes(' no future in ')));

/** Whatever a store holds, so that it can be sent. */
const sent = (input: MessageStore | Messages) => bedrock.encode(input, { openTurn: 'cancel' });
/** How many documents a message has is up to the caller. */
const ANY_DOCUMENTS = { documents: Infinity, images: Infinity };
const NOTHING = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request], { numRuns: 300 })('goes out again as it came, with nothing to report', (wire) => {
    const { messages, report } = bedrock.decode(wire, { strict: true });
    expect(report).toEqual(NOTHING);
    expect(conversationPart(bedrock.encode(messages))).toEqual({ payload: wire, report: NOTHING });
  });

  it.prop([request])('goes out again after its way through a stored text', (wire) => {
    const stored = JSON.stringify(bedrock.decode(wire).messages);
    expect(conversationPart(bedrock.encode(Messages.fromJSON(JSON.parse(stored)))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    bedrock.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = bedrock.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    expect(conversationPart(bedrock.encode(messages)).payload).toEqual(wire);
  });

  it.prop([request])('is the same with bytes as in the JavaScript client', (wire) => {
    const { payload } = conversationPart(bedrock.encode(bedrock.decode(toSdk(wire as never, {})).messages));
    expect(payload).toEqual(wire);
  });
});

/** Any history, valid or broken. */
const history = fc.oneof(
  any.messages,
  fc.tuple(wellFormed, damages).map(([messages, list]) => damaged(messages, list)),
);

describe('any history, valid or broken', () => {
  it.prop([history], { numRuns: 300 })('is sent as one that the provider takes', (messages) => {
    expect(checkBedrock(sent(messages).payload, ANY_DOCUMENTS)).toEqual([]);
  });

  it.prop([history, from('narrow', 'nine')], { numRuns: 200 })(
    'is sent so to models that take less',
    (messages, callIds) => {
      const options = {
        openTurn: 'cancel',
        errorStatus: false,
        prefill: false,
        cachePoints: 0,
        foreignReasoning: 'text',
        callIds,
      } as const;
      const rules = {
        prefill: false,
        cachePoints: 0,
        callId: callIds === 'nine' ? /^[a-zA-Z0-9]{9}$/ : /^[a-zA-Z0-9_-]{1,64}$/,
      };
      expect(checkBedrock(bedrock.encode(messages, options).payload, rules)).toEqual([]);
    },
  );

  it.prop([history])('is sent so with instructions in the middle', (messages) => {
    const { payload } = bedrock.encode(messages, { openTurn: 'cancel', systemInMessages: true });
    expect(checkBedrock(payload, ANY_DOCUMENTS)).toEqual([]);
  });

  it.prop([history, fc.array(from('user', 'assistant', 'system'), { maxLength: 6 })])(
    'has at most four cache points, the last ones',
    (messages, roles) => {
      const part = ContentPart.of('text', { text: 'x', cache_control: { type: 'ephemeral' } });
      const marked = messages.appendMessages(roles.map((role) => Message.of({ role, content: part })));
      expect(checkBedrock(sent(marked).payload, ANY_DOCUMENTS)).toEqual([]);
    },
  );

  it.prop([wellFormed, wellFormed])('keeps the bytes of all messages but the last when it grows', (messages, more) => {
    const before = sent(messages).payload.messages.slice(0, -1);
    const after = sent(messages.appendMessages(more)).payload.messages;
    expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
  });

  it.prop([history])('comes back as a history whose calls are answered, and settles at the second time', (messages) => {
    const { messages: back, report } = bedrock.decode(sent(messages).payload);
    expect(report).toEqual(NOTHING);
    expect(validate(back, { allowOpenTail: false })).toEqual([]);
    const { payload } = conversationPart(bedrock.encode(back));
    expect(conversationPart(bedrock.encode(bedrock.decode(payload, { strict: true }).messages))).toEqual({
      payload,
      report: NOTHING,
    });
  });
});

describe('plain words, calls and answers', () => {
  const words = fc.oneof(
    said.map((content) => ({ content })),
    fc.array(said, { minLength: 2, maxLength: 3 }).map((content) => ({ content })),
  );
  const talk = fc.array(fc.tuple(words, fc.option(fc.tuple(any.jsonObject, said, from('ok', 'error'))), words), {
    minLength: 1,
    maxLength: 4,
  });

  it.prop([talk])('come back as they were', (turns) => {
    const messages = Messages.of(
      ...turns.flatMap(([ask, tool, answer], at) => [
        Message.of({ role: 'user', ...ask }),
        ...(tool === null
          ? []
          : [
              Message.of({
                role: 'assistant',
                toolCalls: [{ id: `c${at}`, name: 'f', arguments: tool[0] }],
                content: [],
              }),
              Message.toolResult(`c${at}`, tool[1], { status: tool[2] as 'ok' }),
            ]),
        Message.of({ role: 'assistant', ...answer }),
      ]),
      Message.asUser('and?'),
    );
    const { payload, report } = conversationPart(bedrock.encode(messages));
    expect(report).toEqual(NOTHING);
    const plain = (list: Messages) =>
      list.map(({ role, content, toolCalls, toolResult }) => ({ role, content, toolCalls, toolResult }));
    expect(plain(bedrock.decode(payload).messages)).toEqual(plain(messages));
  });
});

describe('any store', () => {
  it.prop([any.store])('is sent as one that the provider takes, the same each time, and stays as it was', (store) => {
    const stored = JSON.stringify(store);
    const { payload } = sent(store);
    expect(checkBedrock(payload, ANY_DOCUMENTS)).toEqual([]);
    const once = JSON.stringify(payload);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(stored);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('tells of each loss and repair where it is', (store) => {
    const { report } = sent(store);
    for (const { path } of [...report.losses, ...report.repairs]) expect(path).toMatch(/^messages(\[\d+\]|$)/);
  });

  it.prop([any.store])('says in the report whatever does not come back', (store) => {
    const { payload, report } = sent(store);
    const back = bedrock.decode(payload).messages.map(String).join('\n');
    if (report.losses.length + report.repairs.length > 0) return;
    for (const message of store.toMessages())
      for (const { type, fields } of message.content.parts) if (type === 'text') expect(back).toContain(fields['text']);
  });
});
