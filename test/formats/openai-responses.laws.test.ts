import { fc, it } from '@fast-check/vitest';
import { Content, Messages, type MessageStore, validate } from 'message-store';
import { openaiResponses } from 'message-store/formats/openai-responses';
import { arbitraries, checkOpenAIResponses } from 'message-store/testing';
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
const oneOf = fc.constantFrom;

const { text } = any;
const status = oneOf('completed', 'incomplete', 'in_progress');
const mark = { prompt_cache_breakpoint: oneOf({ mode: 'explicit' }, { mode: 'explicit', ttl: '12h' }) };
const inputText = object({ type: is('input_text'), text }, mark);
const image = fc.oneof(
  object({ type: is('input_image'), image_url: fc.webUrl(), detail: oneOf('auto', 'low', 'original') }, mark),
  object({ type: is('input_image'), file_id: is('file-1'), detail: oneOf('auto', 'high') }, { image_url: is(null) }),
);
const file = fc.oneof(
  object({ type: is('input_file'), file_data: is('data:text/plain;base64,QQ=='), filename: text }, mark),
  object({ type: is('input_file'), file_url: fc.webUrl() }, { filename: text, detail: oneOf('auto', 'low', 'high') }),
  object({ type: is('input_file'), file_id: is('file-2') }, { filename: is(null) }),
);
const odd = object({ type: oneOf('input_video', 'x-1'), x: any.json });
const listOf = (...parts: readonly fc.Arbitrary<object>[]) =>
  fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 });
const content = fc.oneof(text, listOf(inputText, image, file, odd));
const said = object(
  { role: oneOf('user', 'system', 'developer'), content },
  { type: is('message'), status, future: any.json },
);

const citation = is({ type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 1 });
const outputText = object(
  { type: is('output_text'), text, annotations: fc.array(citation, { maxLength: 1 }) },
  { logprobs: is([]) },
);
const refusal = object({ type: is('refusal'), refusal: text });
const phase = { phase: oneOf('commentary', 'final_answer', null) };
type Make = (at: string) => object;
const made = (item: fc.Arbitrary<object>, make: (item: any, at: string) => object): fc.Arbitrary<Make> =>
  item.map((one) => (at: string) => make(one, at));
const plain = (item: fc.Arbitrary<object>) => made(item, (one) => one);
const reasoning = made(
  object(
    { type: is('reasoning'), summary: fc.array(object({ type: is('summary_text'), text }), { maxLength: 2 }) },
    {
      encrypted_content: oneOf('E', null),
      content: fc.array(object({ type: is('reasoning_text'), text }), { maxLength: 1 }),
      status,
    },
  ),
  (one, at) => ({ ...one, id: `rs_${at}` }),
);
const outputMessage = made(
  object(
    {
      type: is('message'),
      role: is('assistant'),
      status,
      content: fc.array(fc.oneof(outputText, refusal, odd), { maxLength: 2 }),
    },
    phase,
  ),
  (one, at) => ({ ...one, id: `msg_${at}` }),
);
const easyMessage = plain(object({ role: is('assistant'), content: text }, { type: is('message'), ...phase }));
const server = made(
  fc.oneof(
    object({ type: is('web_search_call'), status: is('completed'), action: any.jsonObject }),
    object({ type: is('future_call'), call_id: text, output: any.json, role: is('tool') }),
  ),
  (one, at) => ({ ...one, id: `ws_${at}` }),
);
const args = fc.oneof(
  any.jsonObject.map((value) => JSON.stringify(value)),
  is('{ "n": 12345678901234567890 }'),
);
const callKeys = { status, namespace: is('n'), caller: oneOf(null, { type: 'direct' }) };
const call = made(
  fc.oneof(
    object(
      { type: is('function_call'), name: oneOf('weather', 'a-b_C'), arguments: args },
      { ...callKeys, id: is('fc') },
    ),
    object({ type: is('custom_tool_call'), name: is('sql'), input: text }, { id: is('ctc') }),
  ),
  (one, at) => ({ ...one, ...(one.id && { id: `${one.id}_${at}` }), call_id: `call_${at}` }),
);
const output = object(
  { output: fc.oneof(text, fc.array(fc.oneof(inputText, image, file), { maxLength: 2 })) },
  { name: is('weather'), caller: is(null) },
);

/** What the model does at one time, its calls answered: reasoning never stands at its end. */
const turn = fc
  .record({
    before: fc.array(fc.oneof(reasoning, outputMessage, easyMessage, server), { maxLength: 3 }),
    calls: fc.array(call, { maxLength: 2 }),
    between: fc.array(fc.oneof(outputMessage, easyMessage), { maxLength: 1 }),
    last: fc.oneof(outputMessage, call),
    outputs: fc.array(output, { minLength: 3, maxLength: 3 }),
  })
  .map(({ before, calls, between, last, outputs }) => (at: number) => {
    const items = [...before, ...calls, ...between, last].map((make, index) => make(`${at}_${index}`)) as any[];
    const asked = items.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call');
    const answers = asked.map(({ type, call_id }, index) => ({ type: `${type}_output`, call_id, ...outputs[index] }));
    return [...items, ...answers];
  });
const piece = fc.oneof(
  said.map((item) => () => [item]),
  turn,
);
const request = fc
  .record(
    { pieces: fc.array(piece, { maxLength: 5 }), instructions: text, first: said },
    { requiredKeys: ['pieces', 'first'], noNullPrototype: true },
  )
  .map(({ pieces, instructions, first }) => ({
    ...(instructions !== undefined && { instructions }),
    input: [first, ...pieces.flatMap((make, at) => make(at))],
  }));

/** Whatever a store holds, so that it can be sent. */
const sent = (input: MessageStore | Messages) => openaiResponses.encode(input, { openTurn: 'cancel' });
const NOTHING = { losses: [], repairs: [] };

describe('any request', () => {
  it.prop([request])('goes out again as it came, with nothing to report', (wire) => {
    const { messages, report } = openaiResponses.decode(wire);
    expect(report).toEqual(NOTHING);
    expect(openaiResponses.encode(messages)).toEqual({ payload: wire, report: NOTHING });
  });

  it.prop([request])('goes out again after its way through a stored text', (wire) => {
    const stored = JSON.stringify(openaiResponses.decode(wire).messages);
    expect(openaiResponses.encode(Messages.fromJSON(JSON.parse(stored))).payload).toEqual(wire);
  });

  it.prop([request])('is not touched, and not kept', (wire) => {
    openaiResponses.decode(deepFrozen(structuredClone(wire)));
    const given = structuredClone(wire);
    const { messages } = openaiResponses.decode(given);
    expect(given).toEqual(wire);
    scribbleOver(given);
    expect(openaiResponses.encode(messages).payload).toEqual(wire);
  });

  it.prop([request])('is read strictly as it is read otherwise', (wire) => {
    expect(openaiResponses.decode(wire, { strict: true }).messages.size).toBe(
      openaiResponses.decode(wire).messages.size,
    );
  });
});

/** Messages as they come from this wire, then torn apart: any of their parts and calls anywhere. */
const shuffled = fc.tuple(fc.array(request, { minLength: 1, maxLength: 3 }), any.messages).chain(([wires, others]) => {
  const read = [...wires.flatMap((wire) => [...openaiResponses.decode(wire).messages]), ...others];
  const content = read.flatMap((message) => [...message.content.parts]);
  const calls = read.flatMap((message) => [...message.toolCalls]);
  const torn = fc
    .record({
      message: oneOf(...read),
      parts: content.length === 0 ? is([]) : fc.array(oneOf(...content), { maxLength: 3 }),
      calls: calls.length === 0 ? is([]) : fc.array(oneOf(...calls), { maxLength: 2 }),
    })
    .map(({ message, parts, calls: some }) => message.withContent(Content.of(...parts)).withToolCalls(some));
  return fc.array(fc.oneof(oneOf(...read), torn), { maxLength: 6 }).map((list) => Messages.of(...list));
});
/** What the rules do not know went out as it came. */
const ODD = /"(type":"(input_video|x-1|future_call)"|future":)/;
const broken = (payload: unknown): string[] => (ODD.test(JSON.stringify(payload)) ? [] : checkOpenAIResponses(payload));

describe('any history', () => {
  it.prop([any.messages])('is sent as one that the provider takes', (messages) => {
    expect(checkOpenAIResponses(sent(messages).payload)).toEqual([]);
  });

  it.prop([wellFormed, damages])(
    'is sent as one that the provider takes, whatever went wrong with it',
    (messages, list) => {
      const history = damaged(messages, list);
      for (const options of [{}, { foreignReasoning: 'text', instructions: 'input' }] as const)
        expect(
          checkOpenAIResponses(openaiResponses.encode(history, { openTurn: 'cancel', ...options }).payload),
        ).toEqual([]);
    },
  );

  it.prop([shuffled])('is sent as one that the provider takes when what came from there is torn apart', (messages) => {
    for (const options of [{}, { foreignReasoning: 'text' }] as const)
      expect(broken(openaiResponses.encode(messages, { openTurn: 'cancel', ...options }).payload)).toEqual([]);
  });

  it.prop([fc.oneof(wellFormed, shuffled), wellFormed])(
    'keeps the bytes of all items but the last when it grows',
    (messages, more) => {
      const before = sent(messages).payload.input;
      const after = sent(messages.appendMessages(more)).payload.input;
      const kept = typeof before === 'string' ? [] : before.slice(0, -1);
      expect(JSON.stringify(after.slice(0, kept.length))).toBe(JSON.stringify(kept));
    },
  );
});

describe('any store', () => {
  it.prop([any.store])('is sent as one that the provider takes, the same each time, and stays as it was', (store) => {
    const before = JSON.stringify(store);
    const { payload } = sent(store);
    expect(checkOpenAIResponses(payload)).toEqual([]);
    const once = JSON.stringify(payload);
    scribbleOver(payload);
    expect(JSON.stringify(store)).toBe(before);
    expect(JSON.stringify(sent(store).payload)).toBe(once);
  });

  it.prop([any.store])('is sent with an answer right behind each call', (store) => {
    const { messages } = openaiResponses.decode(sent(store).payload);
    expect(validate(messages, { allowOpenTail: false })).toEqual([]);
  });

  it.prop([any.store])('tells of each loss and repair where it is', (store) => {
    const { report } = sent(store);
    for (const { path } of [...report.losses, ...report.repairs]) expect(path).toMatch(/^messages\[\d+\]/);
  });

  it.prop([any.store])('loses nothing more when what was sent comes back, and settles', (store) => {
    const again = (payload: unknown) => openaiResponses.encode(openaiResponses.decode(payload).messages);
    const second = again(sent(store).payload);
    expect(second.report.losses).toEqual([]);
    expect(again(second.payload)).toEqual({ payload: second.payload, report: NOTHING });
  });
});
