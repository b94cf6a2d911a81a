import { describe, expect, it } from 'vitest';
import { type Message, Messages, MessageStore, MessageStoreError, turns, validate } from '../../src/index.ts';
import { accumulator as anthropicAccumulator, anthropic } from '../../src/formats/anthropic/index.ts';
import type { Encoded, EncodeOptions } from '../../src/formats/format.ts';
import { bedrock } from '../../src/formats/bedrock/index.ts';
import { mistral } from '../../src/formats/mistral/index.ts';
import { openaiResponses } from '../../src/formats/openai-responses/index.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { accumulator as ollamaAccumulator, ollama } from '../../src/formats/ollama/index.ts';
import { accumulator as chatAccumulator, openaiChat } from '../../src/formats/openai-chat/index.ts';
import { readServerSentEvents } from '../../src/streams/index.ts';
import { checkBedrock } from '../../src/testing/index.ts';
import { bugCases, messagesOf, textOf } from '../support/bug-cases.ts';
import { scribbleOver } from '../support/model-values.ts';
import { shownAndFinished, streamed } from '../support/streams.ts';

type Fields = Readonly<Record<string, unknown>>;
/** A payload as a program sees it that knows nothing of its type. */
type Wire = any;
type Options = EncodeOptions & Fields;

const CANCEL = { openTurn: 'cancel' } as const;

const sent = (encoded: Encoded<unknown>): Wire => encoded.payload as Wire;
const toChat = (messages: Messages, options: Options = CANCEL) => sent(openaiChat.encode(messages, options)).messages!;
const toAnthropic = (messages: Messages, options: Options = CANCEL) => sent(anthropic.encode(messages, options));
const toGemini = (messages: Messages, options: Options = CANCEL) => sent(gemini.encode(messages, options));
const toResponses = (messages: Messages, options: Options = CANCEL) => sent(openaiResponses.encode(messages, options));
const toBedrock = (messages: Messages, options: Options = CANCEL) => sent(bedrock.encode(messages, options));
const toMistral = (messages: Messages, options: Options = CANCEL) => sent(mistral.encode(messages, options)).messages;
const toOllama = (messages: Messages, options: Options = CANCEL) => sent(ollama.encode(messages, options)).messages!;
const rolesOf = (list: readonly Wire[]): unknown[] => list.map(({ role }) => role);
const blockTypes = (message: Wire): unknown[] => message!.content!.map(({ type }: Wire) => type);

/** The code, the path and the value with which something is refused. */
function refused(run: () => unknown): unknown[] {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return [error.code, error.path, error.value];
    throw error;
  }
  throw new Error('nothing was refused');
}
const refusedChat = (messages: Messages) => refused(() => openaiChat.encode(messages, { invalid: 'throw' }));

/** What each case demands. */
const CHECKS: Readonly<Record<string, (input: Wire) => void | Promise<void>>> = {
  B01({ messages: given }) {
    const messages = messagesOf(given);
    expect(refusedChat(messages)).toEqual(['missing_tool_answer', 'messages[1]', 'c1']);
    expect(refused(() => anthropic.encode(messages, { invalid: 'throw' }))[0]).toBe('missing_tool_answer');
    const chat = openaiChat.encode(messages);
    expect(rolesOf(chat.payload.messages as never)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(chat.payload.messages[2]).toMatchObject({
      tool_call_id: 'c1',
      content: expect.stringMatching(/\S/) as string,
    });
    expect(chat.report.repairs).toHaveLength(1);
    const wire = toAnthropic(messages).messages!;
    expect(rolesOf(wire)).toEqual(['user', 'assistant', 'user']);
    expect(wire[2]!.content).toEqual([
      { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: expect.anything() as unknown },
      { type: 'text', text: 'continue' },
    ]);
    expect(messages.size).toBe(3);
  },
  B02({ stored, readLimit, then }) {
    const all = messagesOf(stored);
    const read = all.slice(-(readLimit as number));
    expect(read.map(({ role }) => role)).toEqual(['tool', 'assistant']);
    const next = read.appendMessages(messagesOf([then]));
    expect(refusedChat(next)).toEqual(['orphan_tool_answer', 'messages[0]', 'c1']);
    expect(rolesOf(toChat(next))).toEqual(['assistant', 'user']);
    expect(all.size).toBe(4);
  },
  B04({ variantA, variantB }) {
    const [a, b] = [messagesOf(variantA), messagesOf(variantB)];
    expect(toChat(a)).toMatchObject([
      { role: 'user', content: 'write it' },
      { role: 'assistant', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
      { role: 'user', content: 'docx please' },
      { role: 'user', content: 'again' },
    ]);
    expect(toChat(b)).toMatchObject([
      { role: 'user', content: 'q' },
      { role: 'assistant', tool_calls: [{ id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
      { role: 'user', content: 'next' },
    ]);
    expect([refusedChat(a)[2], refusedChat(b)[2]]).toEqual(['c1', 'c1']);
    expect(validate(a).map(({ at }) => at)).toEqual([1, 3]);
  },
  B05({ messages: given }) {
    const messages = messagesOf(given);
    const store = turns(MessageStore.fromMessages(messages.slice(0, 3)), 'messages');
    expect(refused(() => store.answer('c1', 'second'))[0]).toBe('tool_call_already_answered');
    const { payload, report } = anthropic.encode(messages);
    expect(sent({ payload, report }).messages![2].content).toMatchObject([{ type: 'tool_result', content: 'first' }]);
    expect(report.repairs).toMatchObject([{ path: 'messages[3]', rule: 'dropped' }]);
  },
  B07({ messages: given, emptyNameCall }) {
    const messages = messagesOf(given);
    const names = [toAnthropic(messages), toAnthropic(messages)].map((wire) => wire.messages![1]!.content![0]!.name);
    expect(names[0]).toMatch(/^browser_tabs_open[a-zA-Z0-9_-]*$/);
    expect(names[1]).toBe(names[0]);
    expect(toAnthropic(messages).messages![2]!.content![0]).toMatchObject({ tool_use_id: 'c1', is_error: true });
    expect(toChat(messages)[1]!.tool_calls![0]!.function!.name).toMatch(/^browser_tabs_open[a-zA-Z0-9_-]*$/);
    expect(messages.at(1)?.toolCalls.first()?.name).toBe('browser.tabs.open');
    const empty = messagesOf([{ role: 'assistant', parts: [emptyNameCall] }]);
    expect(refused(() => turns(MessageStore.fromMessages('q'), 'messages').appendAssistant(empty.first()!))[0]).toBe(
      'empty_tool_name',
    );
    expect(toChat(Messages.from(['q']).appendMessages(empty))[1]!.tool_calls![0]!.function!.name).toMatch(/^[\w-]+$/);
  },
  B08({ messages: given }) {
    const messages = messagesOf(given);
    expect(rolesOf(toChat(messages))).toEqual(['developer', 'system', 'user']);
    const wire = toAnthropic(messages);
    expect(wire.system!.map(({ text }: Wire) => text)).toEqual(['D', 'S']);
    expect(rolesOf(wire.messages)).toEqual(['user']);
    expect(toGemini(messages).systemInstruction!.parts!.map(({ text }: Wire) => text)).toEqual(['D', 'S']);
    expect(toOllama(messages)).toMatchObject([
      { role: 'system', content: 'D' },
      { role: 'system', content: 'S' },
      { role: 'user' },
    ]);
  },
  B09({ messages: given }) {
    const messages = messagesOf(given);
    expect(toAnthropic(messages).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'context' },
          { type: 'text', text: 'question' },
        ],
      },
    ]);
    expect(toChat(messages).slice(1)).toEqual([
      { role: 'user', content: 'context' },
      { role: 'user', content: 'question' },
    ]);
    const { payload, report } = openaiChat.encode(messages, { alternate: true });
    expect(payload.messages.slice(1)).toEqual([{ role: 'user', content: 'context\n\nquestion' }]);
    expect(report.losses).toMatchObject([{ path: 'messages[2]', rule: 'alternation', action: 'moved' }]);
    expect(messages.size).toBe(3);
  },
  B11({ systemOnly, startsWithAssistant, endsWithAssistant }) {
    const [only, starts, ends] = [systemOnly, startsWithAssistant, endsWithAssistant].map(messagesOf) as [
      Messages,
      Messages,
      Messages,
    ];
    expect(toAnthropic(only).messages).toMatchObject([
      { role: 'user', content: [{ text: expect.stringMatching(/\S/) as string }] },
    ]);
    expect(toGemini(only).contents).toMatchObject([
      { role: 'user', parts: [{ text: expect.stringMatching(/\S/) as string }] },
    ]);
    expect(rolesOf(toAnthropic(starts).messages)).toEqual(['user', 'assistant', 'user']);
    expect(rolesOf(toGemini(starts).contents)).toEqual(['user', 'model', 'user']);
    expect(JSON.stringify(toGemini(starts))).toContain('hello');
    expect(rolesOf(toAnthropic(ends).messages)).toEqual(['user', 'assistant']);
    const closed = toAnthropic(ends, { prefill: false }).messages!;
    expect(rolesOf(closed)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(closed)).toContain('partial answer');
    const strict = (messages: Messages, options: Options = {}) =>
      refused(() => anthropic.encode(messages, { invalid: 'throw', ...options }))[0];
    expect(strict(only)).toBe('no_user_message');
    expect(strict(starts)).toBe('starts_with_assistant');
    expect(strict(ends, { prefill: false })).toBe('ends_with_assistant');
  },
  B13({ messages: given }) {
    const messages = messagesOf(given);
    const wire = toAnthropic(messages).messages!;
    expect(blockTypes(wire[1])).toEqual(['tool_use']);
    expect(wire[2]!.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'c1' },
      { type: 'text', text: 'more' },
    ]);
    expect(wire).toHaveLength(3);
    expect(messages.at(1)?.toString()).toBe('');
    expect(messages.at(3)?.toString()).toBe('\n');
  },
  B14({ messages: given }) {
    const messages = messagesOf(given);
    expect(toAnthropic(messages).messages).toMatchObject([{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }]);
    expect(toGemini(messages).contents!.every(({ parts }: Wire) => parts!.length > 0)).toBe(true);
    expect(rolesOf(toChat(messages))).toEqual(['user', 'user']);
    expect(messages.at(1)?.content.parts.first()?.type).toBe('reasoning');
  },
  B16({ messages: given }) {
    const messages = messagesOf(given);
    const chat = toChat(messages);
    expect(rolesOf(chat)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    expect([chat[2], chat[3]].map((answer) => JSON.stringify(answer!.content))).toEqual([
      expect.stringContaining('see image'),
      expect.stringContaining('txt'),
    ]);
    expect(chat[4]!.content).toEqual([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]);
    const [, , answers] = toAnthropic(messages).messages!;
    expect(answers!.content!.map(({ type, tool_use_id: id }: Wire) => [type, id])).toEqual([
      ['tool_result', 'c1'],
      ['tool_result', 'c2'],
    ]);
    expect(answers!.content![0]!.content!.map(({ type }: Wire) => type)).toEqual(['text', 'image']);
  },
  B17({ messages: given }) {
    const messages = messagesOf(given);
    const sourceOf = (message: Message | undefined, options: Options = {}) =>
      toAnthropic(Messages.of(message!), options).messages![0]!.content![0]!;
    expect(sourceOf(messages.at(0)).source!.media_type).toBe('image/jpeg');
    expect(sourceOf(messages.at(1)).source!.media_type).toBe('image/jpeg');
    expect(sourceOf(messages.at(2))).toMatchObject({
      type: 'text',
      text: expect.stringContaining('image/svg+xml') as string,
    });
    expect(refused(() => sourceOf(messages.at(2), { invalid: 'throw' }))[0]).toBe('unsupported_media_type');
  },
  B19({ openaiMessage }) {
    const { messages } = openaiChat.decode([openaiMessage]);
    expect(messages.first()?.content.parts.map(({ type }) => type)).toEqual(['refusal']);
    const assistant = toAnthropic(messages).messages!.find(({ role }: Wire) => String(role) === 'assistant');
    expect(assistant!.content).toEqual([{ type: 'text', text: 'I cannot help with that.' }]);
    expect(toChat(messages)).toEqual([openaiMessage]);
  },
  B20({ messages: given }) {
    const messages = messagesOf(given);
    const merged = messages.toMergedPerRole();
    expect(merged.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(merged.at(1)?.toString()).toContain('Let me look.');
    expect(merged.at(1)?.toolCalls.equals(messages.at(2)!.toolCalls)).toBe(true);
    expect([merged.at(0), merged.at(2)]).toEqual([messages.at(0), messages.at(3)]);
  },
  B21({ messages: given }) {
    const messages = messagesOf(given);
    expect(toChat(messages.toMergedPerRole())).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
      { role: 'tool', tool_call_id: 'c2', content: 'B' },
    ]);
  },
  B23({ messages: given }) {
    const messages = messagesOf(given);
    const [, model, next] = toGemini(messages).contents!;
    expect(model!.parts).toEqual([{ text: 'A', thoughtSignature: 'S1' }, { text: 'B' }]);
    expect(next!.parts).toEqual([{ text: 'next' }]);
  },
  B24({ messages: given }) {
    const messages = messagesOf(given);
    const snapshot = JSON.stringify(messages);
    const merged = messages.toMergedPerRole();
    expect(merged.toMergedPerRole()).toEqual(merged);
    for (const encode of [toChat, toAnthropic, toGemini, toOllama, toMistral, toBedrock, toResponses]) {
      const once = JSON.stringify(encode(messages));
      const wire = encode(messages);
      expect(JSON.stringify(wire)).toBe(once);
      scribbleOver(wire);
    }
    expect(JSON.stringify(messages)).toBe(snapshot);
    expect(merged.map(({ id }) => id)).toContain(messages.at(1)?.id);
  },
  B30({ messages: given }) {
    expect(() => messagesOf(textOf(given))).toThrow('well-formed Unicode');
    const wire = textOf<Wire[]>(given).map(({ role, parts }) => {
      const [{ type, text, callId: id, name, arguments: args }] = parts;
      if (type === 'text') return { role, content: text };
      return { role, content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] };
    });
    const { messages, report } = openaiChat.decode(wire);
    expect(report.repairs.map(({ rule }) => rule)).toEqual(['lone-surrogate', 'lone-surrogate']);
    for (const encode of [toChat, toAnthropic, toGemini, toOllama, toMistral, toBedrock, toResponses]) {
      const text = JSON.stringify(encode(messages));
      expect(text).toMatch(/ok\uFFFD.*\uFFFDx.*pair 😀 stays/s);
      expect(text).not.toMatch(/\\ud[89a-f]/i);
    }
  },
  B31({ a, b, c_wireIn: c }) {
    const [wire] = toChat(messagesOf([a]));
    expect(wire!.tool_calls).toHaveLength(1);
    expect(wire!.content ?? '').toBe('');
    expect(toChat(messagesOf([a]), { ...CANCEL, emptyContent: 'text' })[0]!.content).toBe('');
    expect(toChat(messagesOf([b]))).toEqual([{ role: 'assistant', content: '' }]);
    expect(toChat(openaiChat.decode([c]).messages)).toEqual([{ role: 'assistant', content: 'hi' }]);
  },
  B32({ messages: given }) {
    const messages = messagesOf(given);
    const names = () => toChat(messages).map(({ name }: Wire) => name as string | undefined);
    for (const name of names()) if (name !== undefined) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(names()).toEqual(names());
    expect(messages.map(({ name }) => name)).toEqual(['Team Lead (EU)', 'é']);
  },
  B34({ messages: given }) {
    const { input } = toResponses(messagesOf(given));
    const of = (type: string) => input.filter((item: Wire) => (item.type ?? 'message') === type);
    expect(of('function_call')).toHaveLength(1);
    expect(of('function_call')[0]).toMatchObject({ call_id: 'call_1' });
    expect(of('function_call_output')[0]).toMatchObject({ call_id: 'call_1' });
    expect(of('reasoning')).toEqual([]);
    const ids = input.map(({ id }: Wire) => id).filter((id: unknown) => id !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of of('message')) if (id !== undefined) expect(id).toMatch(/^msg_/);
    for (const { id } of of('function_call')) if (id !== undefined) expect(id).toMatch(/^fc_/);
    expect(JSON.stringify(input)).toMatch(/part one.*part two/);
  },
  B35({ responseOutput, abortedOutput }) {
    const { messages } = openaiResponses.decode({ object: 'response', status: 'completed', output: responseOutput });
    const reloaded = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    const { input } = toResponses(Messages.from(['q', ...reloaded]));
    expect(input.filter(({ id }: Wire) => id !== undefined)).toMatchObject(responseOutput);
    const aborted = openaiResponses.decode({ object: 'response', status: 'incomplete', output: abortedOutput });
    expect(JSON.stringify(toResponses(Messages.from(['q', ...aborted.messages, 'go on'])))).not.toContain('rs_2');
    const thought = reloaded.map((message) =>
      message.withToolCalls([]).withContent(message.content.parts.filter((part) => part.type === 'reasoning')),
    );
    expect(JSON.stringify(toResponses(Messages.from(['q', ...thought, 'go on'])))).not.toContain('rs_1');
  },
  B37({ messages: given }) {
    const messages = messagesOf(given);
    expect(toAnthropic(messages).messages).toMatchObject([
      { role: 'user', content: [{ text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c1' },
          { type: 'tool_use', id: 'c2' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1' },
          { type: 'tool_result', tool_use_id: 'c2' },
          { type: 'text', text: 'reminder' },
          { type: 'text', text: 'and?' },
        ],
      },
    ]);
  },
  B38({ messages: given }) {
    const messages = messagesOf(given);
    const [, asked, answers] = toAnthropic(messages).messages!;
    const ids = asked!.content!.map(({ id }: Wire) => String(id));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(ids[1]).toBe('functions_search_0');
    expect(answers!.content!.map(({ tool_use_id: id }: Wire) => id)).toEqual(ids);
    expect(toAnthropic(messages)).toEqual(toAnthropic(messages));
  },
  B40({ messages: given }) {
    const messages = messagesOf(given);
    const b = JSON.stringify(toAnthropic(messages, { model: 'claude-b' }));
    expect(b).not.toMatch(/thinking|secret plan|"p"/);
    expect(b).toMatch(/answer.*more/);
    const a = JSON.stringify(toAnthropic(messages, { model: 'claude-a' }));
    expect(a).toContain('"signature":"S"');
    expect(a).not.toContain('secret plan');
  },
  B41({ messages: given }) {
    const messages = messagesOf(given);
    const texts = toAnthropic(messages).messages!.map(({ content }: Wire) => content[0]!['text']);
    expect(texts).toEqual(['table  \n', 'row 1  \n', 'go', 'Answer:']);
    expect(messages.last()?.content.plainText).toBe('Answer:  \n');
  },
  B43({ messages: given }) {
    const messages = messagesOf(given);
    const responses = toGemini(messages)
      .contents!.at(-1)!
      .parts!.map(({ functionResponse }: Wire) => functionResponse!);
    expect(responses.map(({ name }: Wire) => name)).toEqual(['list', 'say', 'none', 'obj']);
    for (const { response } of responses) expect(response).toBeTypeOf('object');
    expect(JSON.stringify(responses[0]!.response)).toContain('[1,2]');
    expect(responses[1]!.response).toEqual({ output: 'ok' });
    expect(responses[3]!.response).toEqual({ a: 1 });
  },
  B44({ wireIn, foreign }) {
    const { messages } = gemini.decode({
      contents: [
        { role: 'user', parts: [{ text: 'q' }] },
        { role: 'model', parts: wireIn },
      ],
    });
    const reloaded = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    const answered = [...(reloaded.last()?.toolCalls ?? [])].reduce(
      (store, { id }) => turns(store, 'messages').answer(id!, 'r'),
      MessageStore.fromMessages(reloaded),
    );
    expect(sent(gemini.encode(answered)).contents![1]!.parts).toEqual(wireIn);
    const first = toGemini(messagesOf(foreign), { ...CANCEL, signatures: 'required' }).contents![1]!.parts!;
    expect(first[0]!.thoughtSignature).toBe('skip_thought_signature_validator');
    expect(refused(() => gemini.encode(messagesOf(foreign), { invalid: 'throw', signatures: 'required' }))[0]).toBe(
      'missing_thought_signature',
    );
  },
  B46({ messages: given }) {
    const messages = messagesOf(given);
    const wire = toBedrock(messages).messages;
    const names = wire.flatMap(({ content }: Wire) =>
      content.filter(({ document }: Wire) => document).map(({ document }: Wire) => document.name),
    );
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^(?!.* {2})[a-zA-Z0-9 \-()[\]]{1,200}$/);
    expect(wire[0].content.some(({ text }: Wire) => /\S/.test(text ?? ''))).toBe(true);
    expect(toBedrock(messages)).toEqual(toBedrock(messages));
    expect(JSON.stringify(messages)).toContain('report_v2.pdf');
  },
  B47({ messages: given }) {
    const { payload, report } = bedrock.encode(messagesOf(given));
    expect(payload.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1' } }, { toolUse: { toolUseId: 'c2' } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1' } }, { toolResult: { toolUseId: 'c2' } }] },
    ]);
    expect(payload.messages).toHaveLength(3);
    expect(checkBedrock(payload)).toEqual([]);
    expect(report.repairs).toContainEqual(expect.objectContaining({ path: 'messages[2]', rule: 'joined' }));
  },
  B49({ messages: given }) {
    const messages = messagesOf(given);
    const [, asked, ...answers] = toMistral(messages);
    const ids = asked.tool_calls.map(({ id }: Wire) => id);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('abcDEF123');
    expect(answers.slice(0, 3).map(({ tool_call_id: id, content }: Wire) => [id, content])).toEqual([
      [ids[0], 'A'],
      [ids[1], 'B'],
      [ids[2], 'C'],
    ]);
    expect(toMistral(messages)).toEqual(toMistral(messages));
    expect(messages.at(1)?.toolCalls.first()?.id).toBe('call_2512345678901');
  },
  B50({ messages: given }) {
    const messages = messagesOf(given);
    const [user, assistant, tool] = toOllama(messages);
    expect(user).toMatchObject({ content: 'what is this?', images: ['iVBORw0KGgo='] });
    expect(assistant).toMatchObject({
      content: 'checking',
      tool_calls: [{ function: { name: 'look', arguments: { x: 1 } } }],
    });
    expect(tool).toMatchObject({ role: 'tool', content: 'cat', tool_name: 'look' });
  },
  B51({ toolCalls }) {
    const { messages } = openaiChat.decode([{ role: 'assistant', content: null, tool_calls: toolCalls }]);
    const calls = [...messages.first()!.toolCalls];
    expect(calls.map((one) => (one.isMalformed() ? one.argsText : one.args))).toEqual([{}, {}, '[]', {}]);
    expect(toChat(messages)[0]!.tool_calls!.map((one: Wire) => one.function!.arguments)).toEqual([
      '{}',
      '{}',
      '{}',
      '{}',
    ]);
    const inputs = toAnthropic(messages).messages!.find(({ role }: Wire) => String(role) === 'assistant')!.content!;
    expect(inputs.map(({ input }: Wire) => input)).toEqual([{}, {}, {}, {}]);
    const model = toGemini(messages).contents!.find(({ role }: Wire) => String(role) === 'model')!;
    for (const { functionCall } of model.parts!) expect(functionCall!.args ?? {}).toEqual({});
    for (const one of toOllama(messages)[0]!.tool_calls!) expect(one.function!.arguments).toEqual({});
    expect(refused(() => openaiChat.encode(messages, { invalid: 'throw', openTurn: 'cancel' }))[0]).toMatch(
      /malformed_arguments|missing_tool_answer/,
    );
  },
  B52({ content }) {
    const wire = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content },
      ],
    };
    const { messages } = anthropic.decode(wire);
    const reloaded = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    expect(toAnthropic(reloaded).messages![1]!.content).toEqual(content);
    const { payload, report } = openaiChat.encode(reloaded);
    expect(payload.messages[1]).toMatchObject({ role: 'assistant' });
    expect(JSON.stringify(payload.messages[1])).toContain('done');
    expect(report.losses.map(({ message }) => message).join()).toMatch(
      /server_tool_use.*web_search_tool_result.*future_block/s,
    );
    expect(validate(reloaded)).toEqual([]);
  },
  B54({ deltas }) {
    const [message] = [...streamedChat(deltas)];
    expect(message!.toolCalls.map(({ id, name, args }) => [id, name, args])).toEqual([
      ['A', 'add', { a: 1 }],
      ['B', 'mul', { b: 2 }],
    ]);
  },
  B55({ sameIndex, repeatedName }) {
    const calls = (deltas: unknown) =>
      streamedChat(deltas)
        .first()!
        .toolCalls.map(({ id, name, args }) => [id, name, args]);
    expect(calls(sameIndex)).toEqual([
      ['A', 'w', { c: 1 }],
      ['B', 'w', { c: 2 }],
    ]);
    expect(calls(repeatedName)).toEqual([['A', 'read_file', { p: 1 }]]);
  },
  async B57({ byteChunksHex, textDeltas }) {
    const bytes = byteChunksHex.map((hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    const came: object[] = [];
    for await (const event of readServerSentEvents(bytesOf(bytes))) came.push(event);
    expect(came).toEqual([{ x: '🌍' }]);
    const chunks = textOf<string[]>(textDeltas).map((content) => ({ choices: [{ delta: { content } }] }));
    const { shown, decoded } = shownAndFinished(chatAccumulator, [...chunks, { choices: [{ finish_reason: 'stop' }] }]);
    expect(shown[0]).toBe('hi');
    expect(decoded.messages.last()?.toString()).toBe('hi😀');
  },
  B58({ events }) {
    const came = events.slice(0, -1);
    const start = { type: 'message_start', message: { role: 'assistant', model: 'claude-a', content: [] } };
    const { messages } = streamed(anthropicAccumulator, [start, ...came]);
    const [message] = [...messages];
    expect(message!.incomplete).toEqual({ reason: 'aborted' });
    expect(message!.content.parts.map((part) => [part.type, part.toString()])).toEqual([['reasoning', 'because']]);
    const next = Messages.from(['q', message!, 'go on']);
    const stored = Messages.fromJSON(JSON.parse(JSON.stringify(next)));
    expect(JSON.stringify(stored)).not.toContain('AAAA');
    expect(toAnthropic(stored).messages).toMatchObject([{ role: 'user', content: [{ text: 'q' }, { text: 'go on' }] }]);
    const whole = streamed(anthropicAccumulator, [
      start,
      ...came,
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]);
    const spoken = { role: 'assistant', content: 'So.' };
    const replayed = toAnthropic(Messages.from(['q', ...whole.messages, spoken, 'go on'])).messages[1];
    expect(replayed.content).toEqual([{ type: 'thinking', thinking: 'because', signature: 'AAAA' }]);
  },
  B60({ v1, v2 }) {
    const first = streamed(ollamaAccumulator, v1);
    const calls = [...first.messages.last()!.toolCalls];
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ['w', { c: 'A' }],
      ['w', { c: 'B' }],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(first.finish?.reason).toBe('tool_calls');
    const second = streamed(ollamaAccumulator, v2);
    expect(second.messages.last()?.toString()).toBe('x');
    expect(second.messages.last()?.toolCalls.map(({ args }) => args)).toEqual([{ c: 'A' }]);
  },
  B61({ deltas, finish_reason: reason }) {
    const messages = streamedChat(deltas, String(reason));
    const stored = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    const [message] = [...stored];
    expect(message!.incomplete).toEqual({ reason: 'length' });
    expect(message!.toolCalls.first()!.argsText).toBe('{"path":"a.txt","text":"Once up');
    const chat = toChat(stored);
    expect(chat[0]!.tool_calls).toMatchObject([{ id: 'c1', function: { arguments: '{}' } }]);
    expect(chat[1]).toMatchObject({ role: 'tool', tool_call_id: 'c1' });
    const wire = toAnthropic(stored).messages!;
    expect(JSON.stringify(wire)).toContain('"input":{}');
    expect(JSON.stringify(wire)).toContain('"is_error":true');
    expect(JSON.stringify([chat, wire])).not.toContain('Once up');
  },
  B77({ geminiParts, openaiToolCalls }) {
    const { messages } = gemini.decode({
      contents: [
        { role: 'user', parts: [{ text: 'q' }] },
        { role: 'model', parts: geminiParts },
      ],
    });
    const reloaded = Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    const ids = reloaded.last()!.toolCalls.map(({ id }) => id);
    expect(ids).toEqual(messages.last()!.toolCalls.map(({ id }) => id));
    expect(new Set(ids).size).toBe(2);
    const answered = ids.reduce(
      (store, id, at) => turns(store, 'messages').answer(id!, `answer ${at}`),
      MessageStore.fromMessages(reloaded),
    );
    const chat = toChat(answered.toMessages());
    expect(chat[1]!.tool_calls!.map((one: Wire) => JSON.parse(one.function!.arguments as string) as unknown)).toEqual([
      { c: 'A' },
      { c: 'B' },
    ]);
    expect(chat.slice(2).map(({ content }: Wire) => content as unknown)).toEqual(['answer 0', 'answer 1']);
    const contents = sent(gemini.encode(answered)).contents!;
    expect(contents[2]!.parts!.map(({ functionResponse }: Wire) => functionResponse!.response!.output)).toEqual([
      'answer 0',
      'answer 1',
    ]);
    expect(JSON.stringify(contents)).not.toContain('"id"');
    const twice = openaiChat.decode([{ role: 'assistant', content: null, tool_calls: openaiToolCalls }]).messages;
    const wire = toChat(twice)[0]!.tool_calls!;
    expect(new Set(wire.map(({ id }: Wire) => id)).size).toBe(2);
    expect(wire.map((one: Wire) => one.function!.arguments)).toEqual(['{"c":1}', '{"c":2}']);
  },
  B83({ messages: given }) {
    const messages = messagesOf(given);
    for (const payload of [toChat, toAnthropic, toGemini, toOllama, toMistral, toBedrock, toResponses].map((to) =>
      to(messages),
    ))
      expect(JSON.stringify(payload)).not.toMatch(/t-1|why|createdAt|metadata|origin|"m1"/);
    expect(toChat(messages, { reasoningField: 'reasoning_content' })[1]).toEqual({
      role: 'assistant',
      content: 'yo',
      reasoning_content: 'why',
    });
  },
  B84({ history, added }) {
    const lists = [
      toChat,
      toOllama,
      (messages: Messages) => toAnthropic(messages).messages,
      (messages: Messages) => toGemini(messages).contents,
      toMistral,
      (messages: Messages) => toBedrock(messages).messages,
      (messages: Messages) => toResponses(messages).input,
    ];
    const textsOf = (messages: Messages): string[][] =>
      lists.map((encode) => encode(messages).map((one: Wire) => JSON.stringify(one)));
    const reloaded = (messages: Messages) => Messages.fromJSON(JSON.parse(JSON.stringify(messages)));
    const versions = [messagesOf(history)];
    for (const message of messagesOf(added)) versions.push(reloaded(versions.at(-1)!.appendMessage(message)));
    const texts = versions.map(textsOf);
    expect(texts[0]![0]![2]).toContain(String.raw`{\"zeta\":1,\"alpha\":{\"b\":1,\"a\":2}}`);
    texts.slice(1).forEach((wires, version) =>
      wires.forEach((wire, at) => {
        // The last one may be marked as what the model goes on with.
        const before = texts[version]![at]!.slice(0, -1);
        expect(wire.slice(0, before.length)).toEqual(before);
      }),
    );
  },
};

/** The messages of a stream of these calls' fragments. */
function streamedChat(deltas: unknown, finish = 'tool_calls'): Messages {
  const events = (deltas as readonly Fields[]).map((fragment) => ({
    choices: [{ delta: { tool_calls: [fragment] } }],
  }));
  return streamed(chatAccumulator, [...events, { choices: [{ delta: {}, finish_reason: finish }] }]).messages;
}

async function* bytesOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Cases that are held where their subject is tested. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  B12: 'sessions: sections that are set again are replaced, test/model/message-store.test.ts',
  B29: 'test/turns/cap-text.test.ts',
  B78: 'storage',
};

describe('what went wrong elsewhere', () => {
  for (const { id, summary, input } of bugCases) {
    const check = CHECKS[id];
    if (id in ELSEWHERE) continue;
    it(`${id}: ${summary}`, async () => {
      expect(check, `a check for ${id}`).toBeTypeOf('function');
      await check?.(input);
    });
  }
});
