import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  type AssistantTurn,
  type AssistantTurnFields,
  Message,
  MessageStore,
  type Model,
  type ModelContext,
  type PendingCall,
  runPendingTools,
  type RunPendingOptions,
  runTools,
  type RunToolsOptions,
  type StandardSchema,
  tool,
  type ToolCall,
  type ToolRun,
  type Tools,
  type ToolStep,
  toolSteps,
  turns,
  validate,
} from 'message-store';
import { assistant, call, result, store, user } from 'message-store/testing';
import * as z from 'zod';

const CANCELLED = 'Tool call was cancelled before it produced a result.';

/** A conversation in which the model asks for these tools. */
const asking = (...calls: readonly ToolCall[]): MessageStore => store({ chat: [user('q'), assistant('', ...calls)] });
const question = store({ chat: [user('q')] });

const pendingOf = (given: MessageStore): PendingCall[] => turns(given, 'chat').pending();
const answersOf = (given: MessageStore): unknown[] =>
  given
    .toMessages()
    .forRoles(['tool'])
    .map(({ toolResult, content }) => [toolResult?.callId, toolResult?.status, content.toString()]);
const rolesOf = (given: MessageStore): string[] => given.toMessages().map(({ role }) => role);
const problemsOf = (given: MessageStore): unknown[] => validate(given.toMessages(), { allowOpenTail: false });

const runOpen = (given: MessageStore, tools: Tools, options: Partial<RunPendingOptions> = {}): Promise<ToolRun> =>
  runPendingTools(given, { section: 'chat', tools, ...options });

const loop = (given: MessageStore, model: Model, options: Partial<RunToolsOptions> = {}): Promise<ToolRun> =>
  runTools(given, { section: 'chat', tools: {}, model, ...options });

/** A model that says these things one after another, and what it was asked. */
function scripted(...said: readonly AssistantTurn[]): { model: Model; asked: { heard: string[]; tools: string[] }[] } {
  const asked: { heard: string[]; tools: string[] }[] = [];
  const model: Model = (messages, { tools }) => {
    asked.push({ heard: messages.map((message) => message.toString()), tools: [...tools] });
    return said[asked.length - 1] ?? { content: 'nothing more' };
  };
  return { model, asked };
}

const calling = (...names: readonly string[]): AssistantTurnFields => ({ toolCalls: names.map((name) => call(name)) });
const echo = tool({ run: (input) => input });

/** A promise, and how to keep it. */
function gate<Value = void>(): { promise: Promise<Value>; open: (value: Value) => void } {
  let open: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

describe('calls that cannot be run', () => {
  const answer = async (asked: ToolCall, tools: Tools, options: Partial<RunPendingOptions> = {}): Promise<unknown> =>
    answersOf((await runOpen(asking(asked), tools, options)).store)[0];

  it('are answered where the tool is unknown', async () => {
    expect(await answer(call('x'), { y: echo })).toEqual(['x', 'error', 'Error: unknown tool "x"']);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'are answered where the tool is named like something every object has: %s',
    async (name) => {
      const refused = ['c1', 'error', `Error: unknown tool "${name}"`];
      expect(await answer(call(name, {}, 'c1'), {})).toEqual(refused);
      expect(await answer(call(name, {}, 'c1'), {}, { allowed: [name] })).toEqual(refused);
    },
  );

  it('are answered where the tool is not permitted, also by an empty list', async () => {
    const run = vi.fn<() => string>(() => 'secret');
    const refused = ['x', 'error', 'Error: tool "x" not permitted'];
    expect(await answer(call('x'), { x: { run } }, { allowed: ['y'] })).toEqual(refused);
    expect(await answer(call('x'), { x: { run } }, { allowed: [] })).toEqual(refused);
    expect(run).not.toHaveBeenCalled();
    expect(await answer(call('x'), { x: { run } }, { allowed: ['x'] })).toEqual(['x', 'ok', 'secret']);
  });

  it.each(['{"q":', '[1]', '"text"', 'null', '7'])(
    'are answered where the arguments are no object, without running the tool: %s',
    async (args) => {
      const run = vi.fn<() => unknown>();
      const error = 'Error: the arguments of tool "x" are no JSON object.';
      expect(await answer(call('x', args), { x: { run } })).toEqual(['x', 'error', error]);
      expect(run).not.toHaveBeenCalled();
    },
  );

  it('are named as text that could not be anything else', async () => {
    const name = 'a"b\n';
    expect(await answer(call(name, {}, 'c1'), {})).toEqual(['c1', 'error', String.raw`Error: unknown tool "a\"b\n"`]);
  });
});

describe('a tool that fails', () => {
  const boom = tool({
    run: () => {
      throw new Error('the password is hunter2');
    },
  });
  const rejects = tool({ run: () => Promise.reject(new Error('no disk')) });

  it('is answered without what it threw, which the trace keeps', async () => {
    const run = await runOpen(asking(call('boom'), call('rejects')), { boom, rejects });
    expect(answersOf(run.store)).toEqual([
      ['boom', 'error', 'Error: tool "boom" failed.'],
      ['rejects', 'error', 'Error: tool "rejects" failed.'],
    ]);
    expect(JSON.stringify(run.store)).not.toContain('hunter2');
    expect(run.trace.map(({ error }) => error)).toEqual([new Error('the password is hunter2'), new Error('no disk')]);
    expect(run.status).toBe('done');
  });

  it('is described as the caller likes', async () => {
    const describeError = (error: unknown, { name }: ToolCall): string => `${name}: ${(error as Error).message}`;
    const run = await runOpen(asking(call('rejects')), { rejects }, { describeError });
    expect(answersOf(run.store)).toEqual([['rejects', 'error', 'rejects: no disk']]);
  });

  it('does not stop its siblings, nor the loop', async () => {
    const { model, asked } = scripted(calling('boom', 'echo'), { content: 'Sorry.' });
    const run = await loop(question, model, { tools: { boom, echo } });
    expect(asked[1]?.heard).toEqual(['q', '', 'Error: tool "boom" failed.', '{}']);
    expect(run.store.toMessages().last()?.toString()).toBe('Sorry.');
  });
});

describe('tools of one turn', () => {
  it('run at once, and their answers stand in call order whatever finishes first', async () => {
    const [a, b, c] = [gate<string>(), gate<string>(), gate<string>()];
    const started: string[] = [];
    const waitFor = (name: string, { promise }: { promise: Promise<string> }): Tools[string] => ({
      run: () => {
        started.push(name);
        return promise;
      },
    });
    const given = asking(call('a'), call('b'), call('c'));
    const steps: unknown[] = [];
    const running = runOpen(
      given,
      { a: waitFor('a', a), b: waitFor('b', b), c: waitFor('c', c) },
      { onStep: (now) => void steps.push(answersOf(now).map((one) => (one as string[])[0])) },
    );
    await nextTurn();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const [{ open }, text] of [
      [c, 'C'],
      [a, 'A'],
      [b, 'B'],
    ] as const) {
      open(text);
      await nextTurn();
    }
    const run = await running;
    expect(steps).toEqual([['c'], ['a', 'c'], ['a', 'b', 'c']]);
    expect(answersOf(run.store)).toEqual([
      ['a', 'ok', 'A'],
      ['b', 'ok', 'B'],
      ['c', 'ok', 'C'],
    ]);
    expect(run.trace.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(problemsOf(run.store)).toEqual([]);
  });

  it('are told their call, the message that asks, and a signal', async () => {
    const given = asking(call('f', { n: 1 }));
    const run = vi.fn<() => unknown>();
    await runOpen(given, { f: { run } });
    const message = given.toMessages().last();
    const signal = expect.objectContaining({ aborted: false });
    expect(run).toHaveBeenCalledExactlyOnceWith({ n: 1 }, { call: message?.toolCalls.first(), message, signal });
  });

  it('may change their input, which is a copy', async () => {
    const run = (input: { n?: unknown }): unknown => {
      input.n = 2;
      return input;
    };
    const ended = await runOpen(asking(call('f', { n: 1, deep: { a: [] } })), { f: { run } });
    expect(answersOf(ended.store)).toEqual([['f', 'ok', '{"n":2,"deep":{"a":[]}}']]);
    expect(ended.store.toMessages().at(1)?.toolCalls.first()?.args).toEqual({ n: 1, deep: { a: [] } });
  });

  it('are many without costing more each', async () => {
    const calls = Array.from({ length: 5000 }, (_, at) => call('f', { at }, `c${at}`));
    const ended = await runOpen(asking(...calls), { f: { run: ({ at }: { at: number }) => at } });
    expect(answersOf(ended.store).map((one) => (one as string[])[2])).toEqual(calls.map((_, at) => `${at}`));
  }, 30_000);

  it('are found by their ids though earlier turns have the same ones', async () => {
    const given = store({
      chat: [user('q'), call('f', { n: 1 }, 'c1'), result('c1', 'one'), call('f', { n: 2 }, 'c1')],
    });
    const run = await runOpen(given, { f: echo });
    expect(answersOf(run.store)).toEqual([
      ['c1', 'ok', 'one'],
      ['c1', 'ok', '{"n":2}'],
    ]);
  });

  it('run only where there is no answer yet', async () => {
    const given = turns(asking(call('a'), call('b')), 'chat').answer('b', 'kept');
    const run = await runOpen(given, { a: echo, b: echo });
    expect(answersOf(run.store)).toEqual([
      ['a', 'ok', '{}'],
      ['b', 'ok', 'kept'],
    ]);
    expect(run.trace.map(({ id }) => id)).toEqual(['a']);
  });

  it('are none in a history that is not open: the same store comes back', async () => {
    expect(await runOpen(question, { echo })).toEqual({
      store: question,
      status: 'done',
      pending: [],
      iterations: 0,
      truncated: false,
      trace: [],
    });
  });
});

describe('the loop', () => {
  it('goes on until the model has no more calls', async () => {
    const { model, asked } = scripted({ content: 'Let me see', ...calling('echo') }, calling('echo'), {
      content: 'Done.',
    });
    const run = await loop(question, model, { tools: { echo } });
    expect(rolesOf(run.store)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
    expect(asked.map(({ tools }) => tools)).toEqual([['echo'], ['echo'], ['echo']]);
    expect(asked[2]?.heard).toEqual(['q', 'Let me see', '{}', '', '{}']);
    expect(run).toMatchObject({ status: 'done', pending: [], iterations: 3, truncated: false });
    expect(problemsOf(run.store)).toEqual([]);
  });

  it('takes messages as turns, and gives the model the whole store', async () => {
    const model = vi.fn<Model>(() => Promise.resolve(assistant('Hello.')));
    const given = store({ system: [user('before')], chat: [user('q')] });
    const run = await loop(given, model, { tools: { echo } });
    const context: ModelContext = { store: given, tools: ['echo'], signal: undefined };
    expect(model).toHaveBeenCalledExactlyOnceWith(given.toMessages(), context);
    expect(run.store.section('chat').messages().last()?.toString()).toBe('Hello.');
  });

  it('never gives a model a history with an open turn, whatever its section', async () => {
    const model = vi.fn<Model>(() => ({ content: 'Hi.' }));
    const given = store({ notes: [call('f', {}, 'n1')], chat: [user('q')] });
    await expect(loop(given, model)).rejects.toThrow(
      'sections.notes.messages[0]: the tool calls "n1" have no answer yet. Answer them with answer(), or settle them with close().',
    );
    expect(model).not.toHaveBeenCalled();
    expect((await loop(turns(given, 'notes').close(), model)).status).toBe('done');
    expect((await runOpen(given, {})).status).toBe('done');
  });

  it('offers what is permitted only', async () => {
    const { model, asked } = scripted({ content: 'ok' });
    await loop(question, model, { tools: { a: echo, b: echo, c: echo }, allowed: ['c', 'a', 'x'] });
    expect(asked[0]?.tools).toEqual(['a', 'c']);
  });

  it('first answers the calls that it finds open', async () => {
    const { model, asked } = scripted({ content: 'ok' });
    const run = await loop(asking(call('echo', { n: 1 })), model, { tools: { echo } });
    expect(asked.map(({ heard }) => heard)).toEqual([['q', '', '{"n":1}']]);
    expect(run.iterations).toBe(1);
  });

  it('is one plain completion without tools', async () => {
    const { model, asked } = scripted({ content: 'Hi.' });
    const run = await loop(question, model);
    expect(asked).toEqual([{ heard: ['q'], tools: [] }]);
    expect(run).toMatchObject({ status: 'done', iterations: 1, truncated: false, trace: [] });
    expect(rolesOf(run.store)).toEqual(['user', 'assistant']);
  });

  it.each([
    [{}, 'Error: unknown tool "echo"'],
    [{ tools: { echo }, allowed: [] }, 'Error: tool "echo" not permitted'],
  ])('answers calls that a model makes without tools, and does not ask again', async (options, text) => {
    const { model, asked } = scripted(calling('echo'));
    const run = await loop(question, model, options);
    expect(asked).toHaveLength(1);
    expect(answersOf(run.store)).toEqual([['echo', 'error', text]]);
    expect(run.status).toBe('done');
  });

  it('rejects where the model throws, after what was done went through onStep', async () => {
    const kept: MessageStore[] = [];
    const model: Model = (messages) => {
      if (messages.size > 1) throw new Error('overloaded');
      return calling('echo');
    };
    const options = { tools: { echo }, onStep: (now: MessageStore) => void kept.push(now) };
    await expect(loop(question, model, options)).rejects.toThrow('overloaded');
    expect(rolesOf(kept.at(-1)!)).toEqual(['user', 'assistant', 'tool']);
    await expect(loop(question, () => Promise.reject(new Error('offline')), options)).rejects.toThrow('offline');
  });
});

describe('the limit', () => {
  it.each([
    [undefined, 5],
    [2, 2],
    [1, 1],
    [0, 0],
  ])('of %s ends the loop with one closing call without tools', async (maxIterations, iterations) => {
    const asked: (readonly string[])[] = [];
    const model: Model = (_, { tools }) => {
      asked.push(tools);
      return tools.length > 0 ? calling('echo') : { content: 'In short.' };
    };
    const run = await loop(question, model, { tools: { echo }, maxIterations });
    expect(asked).toEqual([...Array.from({ length: iterations }, () => ['echo']), []]);
    expect(run).toMatchObject({ status: 'done', pending: [], truncated: true, iterations });
    expect(run.trace).toHaveLength(iterations);
    expect(run.store.toMessages().last()?.toString()).toBe('In short.');
    expect(problemsOf(run.store)).toEqual([]);
  });

  it('settles calls that the model makes in the closing call, in one step', async () => {
    const { model } = scripted(calling('echo'), calling('echo', 'other'));
    const onStep = vi.fn<() => void>();
    const run = await loop(question, model, { tools: { echo, other: echo }, maxIterations: 1, onStep });
    expect(answersOf(run.store)).toEqual([
      ['echo', 'ok', '{}'],
      ['echo', 'cancelled', CANCELLED],
      ['other', 'cancelled', CANCELLED],
    ]);
    expect(run).toMatchObject({ status: 'done', truncated: true, pending: [] });
    expect(onStep).toHaveBeenCalledTimes(4);
    expect(onStep).toHaveBeenLastCalledWith(run.store);
    expect(problemsOf(run.store)).toEqual([]);
  });

  it('is not reached where the last model turn that it allows has no calls', async () => {
    const { model, asked } = scripted(calling('echo'), { content: 'Done.' });
    const run = await loop(question, model, { tools: { echo }, maxIterations: 2 });
    expect(asked).toHaveLength(2);
    expect(run).toMatchObject({ iterations: 2, truncated: false });
  });

  it.each([Number.NaN, -1, '3', null])('cannot be %j', async (maxIterations) => {
    const model = vi.fn<Model>();
    await expect(loop(question, model, { maxIterations: maxIterations as never })).rejects.toThrow(
      'maxIterations: expected a number from 0, got',
    );
    expect(model).not.toHaveBeenCalled();
  });

  it('may be none', async () => {
    let left = 20;
    const model: Model = () => (left-- > 0 ? calling('echo') : { content: 'Done.' });
    const run = await loop(question, model, { tools: { echo }, maxIterations: Number.POSITIVE_INFINITY });
    expect(run).toMatchObject({ iterations: 21, truncated: false });
  });

  it('does not hide an abort in the closing call', async () => {
    const controller = new AbortController();
    const model: Model = (_, { tools }) => {
      if (tools.length > 0) return calling('echo');
      controller.abort();
      return calling('echo');
    };
    const run = await loop(question, model, { tools: { echo }, maxIterations: 1, signal: controller.signal });
    expect(run).toMatchObject({ status: 'aborted', truncated: true, iterations: 1 });
    expect(problemsOf(run.store)).toEqual([]);
  });
});

describe('approval', () => {
  const gated = (run: Tools[string]['run'] = () => 'ran'): Tools[string] => tool({ needsApproval: true, run });

  it('leaves the turn open and gives the calls that wait, after their siblings ran', async () => {
    const run = vi.fn<() => unknown>();
    const { model, asked } = scripted(calling('pay', 'echo'));
    const ended = await loop(question, model, { tools: { pay: gated(run), echo } });
    expect(ended).toMatchObject({ status: 'pending', iterations: 1, truncated: false });
    expect(ended.pending.map(({ id, name, turn }) => [id, name, turn])).toEqual([['pay', 'pay', 1]]);
    expect(answersOf(ended.store)).toEqual([['echo', 'ok', '{}']]);
    expect(asked).toHaveLength(1);
    expect(run).not.toHaveBeenCalled();
    expect(validate(ended.store.toMessages())).toEqual([]);
  });

  it('may depend on the input, as the schema gives it, and on the call', async () => {
    const pay = tool({
      input: z.object({ amount: z.coerce.number() }),
      needsApproval: ({ amount }, context) => amount > 10 && context.call.name === 'pay',
      run: ({ amount }) => `paid ${amount}`,
    });
    const given = asking(call('pay', { amount: '9' }, 'small'), call('pay', { amount: '11' }, 'big'));
    const ended = await runOpen(given, { pay });
    expect(answersOf(ended.store)).toEqual([['small', 'ok', 'paid 9']]);
    expect(ended.pending.map(({ id }) => id)).toEqual(['big']);
  });

  it('is not asked for where the call is answered with an error anyway', async () => {
    const tools = { pay: { ...gated(), input: z.object({ amount: z.number() }) }, other: gated() };
    const given = asking(call('pay'), call('other', '{'), call('third'));
    const ended = await runOpen(given, tools, { allowed: ['pay', 'other'] });
    expect(ended).toMatchObject({ status: 'done', pending: [] });
  });

  it('holds the whole turn where that is asked for', async () => {
    const run = vi.fn<() => unknown>();
    const given = asking(call('echo'), call('pay'), call('unknown'));
    const ended = await runOpen(given, { echo: { run }, pay: gated(run) }, { approval: 'turn' });
    expect(ended).toMatchObject({ status: 'pending', trace: [] });
    expect(ended.pending.map(({ id }) => id)).toEqual(['echo', 'pay', 'unknown']);
    expect(ended.store).toBe(given);
    expect(run).not.toHaveBeenCalled();
  });

  it('holds the turn until all is decided, then runs it', async () => {
    const tools = { echo, a: gated(), b: gated() };
    const given = asking(call('echo'), call('a'), call('b'));
    const [, a, b] = pendingOf(given);
    const half = await runOpen(given, tools, { approval: 'turn', decisions: [{ call: a!, approved: true }] });
    expect(half).toMatchObject({ status: 'pending', trace: [] });
    const decisions = [
      { call: a!, approved: true },
      { call: b!, approved: false },
    ];
    const whole = await runOpen(half.store, tools, { approval: 'turn', decisions });
    expect(answersOf(whole.store)).toEqual([
      ['echo', 'ok', '{}'],
      ['a', 'ok', 'ran'],
      ['b', 'denied', 'Error: tool "b" was denied by the operator.'],
    ]);
    expect(whole.status).toBe('done');
  });

  it('holds no turn without a call that needs it', async () => {
    const ended = await runOpen(asking(call('echo')), { echo }, { approval: 'turn' });
    expect(answersOf(ended.store)).toEqual([['echo', 'ok', '{}']]);
  });

  it('goes on from what was stored once a call is approved', async () => {
    const tools = { pay: gated((input) => input), echo };
    const first = await loop(question, scripted({ toolCalls: [call('pay', { n: 7 }), call('echo')] }).model, { tools });
    const stored = MessageStore.fromJSON(JSON.parse(JSON.stringify(first.store)));
    const { model, asked } = scripted({ content: 'Paid.' });
    const decisions = [{ call: first.pending[0]!, approved: true }];
    const second = await loop(stored, model, { tools, decisions });
    expect(asked.map(({ heard }) => heard)).toEqual([['q', '', '{"n":7}', '{}']]);
    expect(second).toMatchObject({ status: 'done', iterations: 1 });
    expect(second.trace.map(({ name }) => name)).toEqual(['pay']);
    expect(problemsOf(second.store)).toEqual([]);
  });

  it('is given by any handle that fits', async () => {
    const given = asking(call('pay', {}, 'c1'));
    const [handle] = pendingOf(given) as [PendingCall];
    const { messageId } = handle;
    for (const one of [handle, 'c1', { id: 'c1' }, { id: 'c1', turn: 1 }, { id: 'c1', messageId }]) {
      const ended = await runOpen(given, { pay: gated() }, { decisions: [{ call: one, approved: true }] });
      expect(answersOf(ended.store)).toEqual([['c1', 'ok', 'ran']]);
    }
  });

  it('answers a call that is denied, with the sentence of the caller where there is one', async () => {
    const run = vi.fn<() => unknown>();
    const given = asking(call('pay', {}, 'c1'), call('pay', {}, 'c2'), call('pay', {}, 'c3'));
    const [c1, c2] = pendingOf(given);
    const ended = await runOpen(
      given,
      { pay: gated(run) },
      {
        decisions: [
          { call: c2!, approved: false, content: 'Too much.' },
          { call: c1!, approved: false },
        ],
      },
    );
    expect(answersOf(ended.store)).toEqual([
      ['c1', 'denied', 'Error: tool "pay" was denied by the operator.'],
      ['c2', 'denied', 'Too much.'],
    ]);
    expect(ended.pending.map(({ id }) => id)).toEqual(['c3']);
    expect(run).not.toHaveBeenCalled();
  });

  it('shows what was denied in the trace, readable and capped like any answer', async () => {
    const deny = async (content?: string): Promise<ToolRun> => {
      const decisions = [{ call: 'c1', approved: false, content }];
      const given = asking(call('pay', { n: 1 }, 'c1'));
      return runOpen(given, { pay: gated() }, { decisions, maxResultBytes: 60 });
    };
    const { trace } = await deny();
    const text = 'Error: tool "pay" was denied by the operator.';
    expect(trace).toEqual([
      { id: 'c1', name: 'pay', arguments: '{"n":1}', result: text, status: 'denied', duration: 0 },
    ]);
    expect(answersOf((await deny('no \uD83D')).store)).toEqual([['c1', 'denied', 'no \uFFFD']]);
    expect(answersOf((await deny('x'.repeat(100))).store)).toEqual([
      ['c1', 'denied', `${'x'.repeat(32)}\n[cut: the rest is left out]`],
    ]);
  });

  it('may take its time to be asked for', async () => {
    const needsApproval = async ({ n }: { n: number }): Promise<boolean> => {
      await nextTurn();
      return n > 1;
    };
    const pay = tool({ input: z.object({ n: z.number() }), needsApproval, run: () => 'ran' });
    const ended = await runOpen(asking(call('pay', { n: 1 }, 'c1'), call('pay', { n: 2 }, 'c2')), { pay });
    expect(answersOf(ended.store)).toEqual([['c1', 'ok', 'ran']]);
    expect(ended.pending.map(({ id }) => id)).toEqual(['c2']);
  });

  it.each([undefined, 7, {}])('is refused where a decision is about %j', async (about) => {
    const decisions = [{ call: about as never, approved: true }];
    await expect(runOpen(asking(call('pay')), { pay: gated() }, { decisions })).rejects.toThrow(
      'decisions[0].call: expected a tool call: its id, or what pending() gave, got',
    );
  });

  it('is kept when older turns are trimmed away', async () => {
    const given = store({ chat: [user('q'), call('f', {}, 'a'), result('a', '1'), user('q'), call('pay', {}, 'b')] });
    const decisions = pendingOf(given).map((one) => ({ call: one, approved: true }));
    const ended = await runOpen(turns(given, 'chat').keepLast(2), { pay: gated() }, { decisions });
    expect(answersOf(ended.store)).toEqual([['b', 'ok', 'ran']]);
  });

  it('lets the loop go on after a denial', async () => {
    const { model, asked } = scripted({ content: 'As you like.' });
    const given = asking(call('pay'));
    const run = await loop(given, model, {
      tools: { pay: gated() },
      decisions: [{ call: pendingOf(given)[0]!, approved: false, content: '' }],
    });
    expect(asked.map(({ heard }) => heard)).toEqual([['q', '', '']]);
    expect(answersOf(run.store)).toEqual([['pay', 'denied', '']]);
    expect(run.status).toBe('done');
  });

  it('may be decided for calls that need none: a denial counts for those too', async () => {
    const ended = await runOpen(asking(call('echo')), { echo }, { decisions: [{ call: 'echo', approved: false }] });
    expect(answersOf(ended.store)).toEqual([['echo', 'denied', 'Error: tool "echo" was denied by the operator.']]);
  });

  it('is not given by a decision that contradicts itself: the denial counts, once', async () => {
    const run = vi.fn<() => unknown>();
    const decisions = [true, false, false].map((approved) => ({ call: 'pay', approved }));
    const ended = await runOpen(asking(call('pay')), { pay: gated(run) }, { decisions });
    expect(answersOf(ended.store)).toEqual([['pay', 'denied', 'Error: tool "pay" was denied by the operator.']]);
    expect(run).not.toHaveBeenCalled();
  });

  it('does not overrule what is permitted', async () => {
    const run = vi.fn<() => unknown>();
    const decisions = [{ call: 'pay', approved: true }];
    const ended = await runOpen(asking(call('pay')), { pay: gated(run) }, { decisions, allowed: [] });
    expect(answersOf(ended.store)).toEqual([['pay', 'error', 'Error: tool "pay" not permitted']]);
    expect(run).not.toHaveBeenCalled();
  });

  describe('of another turn', () => {
    const old = asking(call('pay', { n: 1 }, 'c1'));
    const [handle] = pendingOf(old) as [PendingCall];
    const given = turns(turns(old, 'chat').answer('c1', 'old'), 'chat').appendAssistant({
      toolCalls: [call('pay', { n: 2 }, 'c1')],
    });

    it.each([
      ['as it was', handle],
      ['by its turn only', { id: handle.id, turn: handle.turn }],
      ['by its message only', { id: handle.id, messageId: handle.messageId }],
      ['with the right turn of another message', { ...handle, turn: 2 }],
    ])('never runs or answers anything: %s', async (_, stale) => {
      const run = vi.fn<() => unknown>();
      for (const approved of [true, false]) {
        const ended = await runOpen(given, { pay: gated(run) }, { decisions: [{ call: stale, approved }] });
        expect(ended.status).toBe('pending');
        expect(ended.pending.map(({ turn, arguments: text }) => [turn, text])).toEqual([[2, '{"n":2}']]);
        expect(ended.store).toBe(given);
      }
      expect(run).not.toHaveBeenCalled();
    });

    it('is not reused by the loop for a later call with the same id', async () => {
      for (const approved of [true, false]) {
        const run = vi.fn<() => string>(() => 'ran');
        for (const decided of [handle, 'c1']) {
          const { model } = scripted({ toolCalls: [call('pay', { n: 2 }, 'c1')] });
          const decisions = [{ call: decided, approved }];
          const ended = await loop(old, model, { tools: { pay: gated(run) }, decisions, maxIterations: 1 });
          expect(ended.status).toBe('pending');
          expect(answersOf(ended.store)).toHaveLength(1);
        }
        expect(run).toHaveBeenCalledTimes(approved ? 2 : 0);
      }
    });

    it('is refused by the loop where no call waits: the model is not asked a second time', async () => {
      const { model, asked } = scripted({ content: 'again' });
      const decisions = [{ call: 'c1', approved: true }];
      await expect(loop(question, model, { tools: { pay: gated() }, decisions })).rejects.toMatchObject({
        code: 'tool_turn_closed',
        section: 'chat',
      });
      expect(asked).toEqual([]);
    });

    it('has no effect where no call waits, or none with this id', async () => {
      const decisions = [
        { call: 'c1', approved: false },
        { call: 'c9', approved: true },
      ];
      expect((await runOpen(question, { pay: gated() }, { decisions })).store).toBe(question);
      const other = asking(call('pay', {}, 'c2'));
      expect((await runOpen(other, { pay: gated() }, { decisions })).store).toBe(other);
    });
  });

  it('of one of two calls with the same id is not given to the other', async () => {
    const given = asking(call('pay', { n: 1 }, 'c1'), call('pay', { n: 2 }, 'c1'));
    const inputs: unknown[] = [];
    const tools = { pay: gated((input) => void inputs.push(input)) };
    await runOpen(given, tools, { decisions: [{ call: 'c1', approved: true }] });
    expect(inputs).toEqual([{ n: 1 }]);
  });
});

describe('onStep', () => {
  it('is awaited after each message, with the store that holds it', async () => {
    const log: string[] = [];
    const onStep = async (now: MessageStore): Promise<void> => {
      const text = rolesOf(now).join(' ');
      log.push(`saving ${text}`);
      await nextTurn();
      log.push(`saved ${text}`);
    };
    const said = scripted(calling('echo'), { content: 'Done.' });
    const model: Model = (messages, context) => {
      log.push('asked');
      return said.model(messages, context);
    };
    await loop(question, model, { tools: { echo }, onStep });
    expect(log).toEqual([
      'asked',
      'saving user assistant',
      'saved user assistant',
      'saving user assistant tool',
      'saved user assistant tool',
      'asked',
      'saving user assistant tool assistant',
      'saved user assistant tool assistant',
    ]);
  });

  it('loses no answer that it was given when the program ends in mid-turn', async () => {
    let saved = '';
    const ran: string[] = [];
    const counted = (name: string): Tools[string] => ({ run: () => ran.push(name) && `${name} ran` });
    const tools = { a: counted('a'), b: counted('b'), c: counted('c') };
    const onStep = (now: MessageStore): void => {
      if (answersOf(now).length > 1) throw new Error('the disk is full');
      saved = JSON.stringify(now);
    };
    const first = scripted(calling('a', 'b', 'c'));
    await expect(loop(question, first.model, { tools, onStep })).rejects.toThrow('the disk is full');

    const stored = MessageStore.fromJSON(JSON.parse(saved));
    expect(answersOf(stored)).toEqual([['a', 'ok', 'a ran']]);
    expect(validate(stored.toMessages())).toEqual([]);
    ran.length = 0;
    const { model, asked } = scripted({ content: 'Done.' });
    const resumed = await loop(stored, model, { tools });
    expect(ran).toEqual(['b', 'c']);
    expect(asked.map(({ heard }) => heard)).toEqual([['q', '', 'a ran', 'b ran', 'c ran']]);
    expect(problemsOf(resumed.store)).toEqual([]);
  });
});

describe('step by step', () => {
  it('gives the store, the message and the trace after each message, and the same end', async () => {
    const said = [calling('unknown', 'echo'), { content: 'Done.' }];
    const steps: ToolStep[] = [];
    const options = { section: 'chat', tools: { echo }, model: scripted(...said).model };
    const iterator = toolSteps(question, options);
    let next = await iterator.next();
    for (; next.done !== true; next = await iterator.next()) steps.push(next.value);
    expect(
      steps.map(({ store: now, message, trace }) => [
        rolesOf(now).length,
        message.role,
        message.toString(),
        trace.length,
      ]),
    ).toEqual([
      [2, 'assistant', '', 0],
      [3, 'tool', 'Error: unknown tool "unknown"', 1],
      [4, 'tool', '{}', 2],
      [5, 'assistant', 'Done.', 2],
    ]);
    const whole = await loop(question, scripted(...said).model, { tools: { echo } });
    expect(next.value).toMatchObject({ status: 'done', pending: [], iterations: 2, truncated: false });
    expect(rolesOf(next.value.store)).toEqual(rolesOf(whole.store));
    expect(answersOf(next.value.store)).toEqual(answersOf(whole.store));
  });

  it('names the answer that came, wherever it stands', async () => {
    const slow = gate<string>();
    const messages: string[] = [];
    const tools = { a: { run: () => slow.promise }, b: { run: () => 'B' } };
    for await (const { message } of toolSteps(asking(call('a'), call('b')), {
      section: 'chat',
      tools,
      model: () => ({ content: 'Done.' }),
    })) {
      messages.push(message.toString());
      slow.open('A');
    }
    expect(messages).toEqual(['B', 'A', 'Done.']);
  });

  it('can be left in the middle', async () => {
    const remove = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
    const { signal } = new AbortController();
    const model = vi.fn<Model>();
    for await (const step of toolSteps(asking(call('echo'), call('echo', {}, 'second')), {
      section: 'chat',
      tools: { echo },
      model,
      signal,
    })) {
      expect(answersOf(step.store)).toHaveLength(1);
      break;
    }
    expect(remove).toHaveBeenCalledTimes(1);
    expect(model).not.toHaveBeenCalled();
    remove.mockRestore();
  });
});

describe('cancellation', () => {
  const controlled = (): { abort: () => void; signal: AbortSignal } => {
    const controller = new AbortController();
    return { abort: () => controller.abort(), signal: controller.signal };
  };
  const isSettled = ({ store: ended, status, pending }: ToolRun): void => {
    expect([status, pending]).toEqual(['aborted', []]);
    expect(problemsOf(ended)).toEqual([]);
  };

  it('before the start asks and runs nothing', async () => {
    const model = vi.fn<Model>();
    const signal = AbortSignal.abort();
    const run = await loop(question, model, { tools: { echo }, signal });
    isSettled(run);
    expect(run).toMatchObject({ iterations: 0, store: question });
    expect(model).not.toHaveBeenCalled();
  });

  it('before the start settles the calls that it finds open, and runs none', async () => {
    const run = vi.fn<() => unknown>();
    const given = asking(call('f'), call('pay'), call('unknown'));
    const options = { signal: AbortSignal.abort(), decisions: [{ call: 'pay', approved: true }] };
    const ended = await runOpen(given, { f: { run }, pay: { needsApproval: true, run } }, options);
    isSettled(ended);
    expect(answersOf(ended.store)).toEqual(['f', 'pay', 'unknown'].map((id) => [id, 'cancelled', CANCELLED]));
    expect(ended.trace).toEqual(
      ['f', 'pay', 'unknown'].map((name) => ({
        id: name,
        name,
        arguments: '{}',
        result: CANCELLED,
        status: 'cancelled',
        duration: 0,
      })),
    );
    expect(run).not.toHaveBeenCalled();
  });

  it('during a denial keeps it, and settles the others', async () => {
    for (const decided of [['a'], ['a', 'b']]) {
      const { abort, signal } = controlled();
      const decisions = decided.map((id) => ({ call: id, approved: false, content: 'no' }));
      const run = vi.fn<() => unknown>();
      const ended = await runOpen(asking(call('a'), call('b')), { b: { run } }, { decisions, signal, onStep: abort });
      isSettled(ended);
      expect(answersOf(ended.store).map((one) => (one as string[])[1])).toEqual(
        decided.length === 2 ? ['denied', 'denied'] : ['denied', 'cancelled'],
      );
      expect(run).not.toHaveBeenCalled();
    }
  });

  it('during the model call ends it where the model throws', async () => {
    const { abort, signal } = controlled();
    const model: Model = (_, context) =>
      new Promise((_resolve, reject) => {
        context.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const running = loop(question, model, { tools: { echo }, signal });
    await nextTurn();
    abort();
    const run = await running;
    isSettled(run);
    expect(run).toMatchObject({ iterations: 0, store: question });
  });

  it('during the model call keeps what the model still said, and runs none of its calls', async () => {
    const { abort, signal } = controlled();
    const run = vi.fn<() => unknown>();
    const model: Model = () => {
      abort();
      return { content: 'Let me', ...calling('f', 'g') };
    };
    const ended = await loop(question, model, { tools: { f: { run }, g: { run } }, signal });
    isSettled(ended);
    expect(ended.store.toMessages().map((message) => message.toString())).toEqual([
      'q',
      'Let me',
      CANCELLED,
      CANCELLED,
    ]);
    expect(run).not.toHaveBeenCalled();
  });

  it('during the model call keeps a text that was cut', async () => {
    const { abort, signal } = controlled();
    const model: Model = () => {
      abort();
      return Message.of({ role: 'assistant', content: 'It is', incomplete: { reason: 'aborted' } });
    };
    const ended = await loop(question, model, { tools: { echo }, signal });
    isSettled(ended);
    expect(ended.store.toMessages().last()?.toString()).toBe('It is');
  });

  it('while tools run keeps the answers that came, and settles the others', async () => {
    const { abort, signal } = controlled();
    const tools = { quick: { run: () => 'Q' }, never: { run: () => new Promise(() => {}) } };
    const { model, asked } = scripted(calling('never', 'quick'));
    const stepped: string[] = [];
    const steps = toolSteps(question, { section: 'chat', tools, model, signal });
    let next = await steps.next();
    for (; next.done !== true; next = await steps.next()) {
      stepped.push(next.value.message.toString());
      if (next.value.message.toString() === 'Q') abort();
    }
    isSettled(next.value);
    expect(answersOf(next.value.store)).toEqual([
      ['never', 'cancelled', CANCELLED],
      ['quick', 'ok', 'Q'],
    ]);
    expect(stepped).toEqual(['', 'Q', CANCELLED]);
    expect(next.value.trace.map(({ name, status }) => [name, status])).toEqual([
      ['quick', 'ok'],
      ['never', 'cancelled'],
    ]);
    expect(asked).toHaveLength(1);
  });

  it('while tools run makes no failures of tools that stop for it', async () => {
    const { abort, signal } = controlled();
    const stops = tool({
      run: (_, context) =>
        new Promise((_resolve, reject) => {
          context.signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    const running = runOpen(asking(call('stops')), { stops }, { signal });
    await nextTurn();
    abort();
    const ended = await running;
    isSettled(ended);
    expect(answersOf(ended.store)).toEqual([['stops', 'cancelled', CANCELLED]]);
  });

  it('while input is checked runs nothing', async () => {
    const { abort, signal } = controlled();
    const run = vi.fn<() => unknown>();
    const input: StandardSchema = {
      '~standard': { version: 1, vendor: 'test', validate: () => new Promise(() => {}) },
    };
    const running = runOpen(asking(call('f'), call('g')), { f: { input, run }, g: { run } }, { signal });
    await nextTurn();
    abort();
    isSettled(await running);
    expect(run).not.toHaveBeenCalled();
  });

  it('after the last answer asks nothing more', async () => {
    const { abort, signal } = controlled();
    const { model, asked } = scripted(calling('echo'), { content: 'never said' });
    const onStep = (now: MessageStore): void => {
      if (rolesOf(now).at(-1) === 'tool') abort();
    };
    const run = await loop(question, model, { tools: { echo }, signal, onStep });
    isSettled(run);
    expect(answersOf(run.store)).toEqual([['echo', 'ok', '{}']]);
    expect(asked).toHaveLength(1);
  });

  it('settles calls that wait for approval', async () => {
    const { abort, signal } = controlled();
    const tools = { echo, pay: tool({ needsApproval: true, run: () => 'never' }) };
    const run = await runOpen(asking(call('pay'), call('echo')), tools, { signal, onStep: abort });
    isSettled(run);
    expect(answersOf(run.store)).toEqual([
      ['pay', 'cancelled', CANCELLED],
      ['echo', 'ok', '{}'],
    ]);
  });

  it('reaches the signal of the tools, with its reason, and so does an end that comes early', async () => {
    const seen: unknown[] = [];
    const tools = {
      waits: tool({
        run: (_, { signal }) =>
          new Promise(() => {
            signal?.addEventListener('abort', () => seen.push(signal.reason));
          }),
      }),
      done: tool({ run: (_, { signal }) => signal?.addEventListener('abort', () => seen.push('done')) }),
    };
    const given = asking(call('waits'), call('done'));
    const stop = new AbortController();
    const running = runOpen(given, tools, { signal: stop.signal });
    await nextTurn();
    stop.abort('enough');
    await running;
    expect(seen).toEqual(['enough', 'done']);

    const onStep = (): void => {
      throw new Error('the disk is full');
    };
    await expect(runOpen(given, tools, { onStep })).rejects.toThrow('the disk is full');
    expect(seen).toHaveLength(4);
    const model: Model = () => ({});
    for await (const step of toolSteps(given, { section: 'chat', model, tools })) if (step.message.isTool()) break;
    expect(seen).toHaveLength(6);
    await runOpen(asking(call('done')), tools);
    expect(seen).toHaveLength(6);
  });

  it('leaves nobody listening', async () => {
    const { signal } = controlled();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await loop(question, scripted(calling('echo'), { content: 'Done.' }).model, { tools: { echo }, signal });
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove.mock.calls).toEqual(add.mock.calls);
  });
});

describe('a model turn whose stream was cut', () => {
  const cut = (...calls: readonly ToolCall[]): Message =>
    Message.of({ role: 'assistant', content: 'Let', toolCalls: calls, incomplete: { reason: 'network' } });

  it('never runs its calls: they are settled, and the model is asked again', async () => {
    const run = vi.fn<() => unknown>();
    const { model, asked } = scripted(cut(call('f'), call('g', '{"a')), { content: 'Again.' });
    const ended = await loop(question, model, { tools: { f: { run }, g: { run } } });
    expect(run).not.toHaveBeenCalled();
    expect(asked[1]?.heard).toEqual(['q', 'Let', CANCELLED, CANCELLED]);
    expect(ended).toMatchObject({ status: 'done', iterations: 2 });
    expect(ended.trace.map(({ name, status }) => [name, status])).toEqual([
      ['f', 'cancelled'],
      ['g', 'cancelled'],
    ]);
    expect(problemsOf(ended.store)).toEqual([]);
  });

  it('is settled, and the model not asked again, where that is cancelled', async () => {
    const stop = new AbortController();
    const { model, asked } = scripted(cut(call('f')));
    const onStep = (now: MessageStore): void => {
      if (answersOf(now).length > 0) stop.abort();
    };
    const ended = await loop(question, model, { tools: { f: echo }, signal: stop.signal, onStep });
    expect(ended.status).toBe('aborted');
    expect(answersOf(ended.store)).toEqual([['f', 'cancelled', CANCELLED]]);
    expect(asked).toHaveLength(1);
  });

  it('never runs its calls once one of them is answered or decided', async () => {
    const run = vi.fn<() => unknown>();
    const given = store({ chat: [user('q'), cut(call('f'), call('g'), call('h'))] });
    const tools = { f: { run }, g: { run }, h: { run, needsApproval: true } };
    const decisions = [
      { call: 'f', approved: false },
      { call: 'h', approved: true },
    ];
    const ended = await runOpen(given, tools, { decisions });
    expect(run).not.toHaveBeenCalled();
    expect(ended).toMatchObject({ status: 'done', pending: [] });
    expect(answersOf(ended.store)).toEqual([
      ['f', 'denied', 'Error: tool "f" was denied by the operator.'],
      ['g', 'cancelled', CANCELLED],
      ['h', 'cancelled', CANCELLED],
    ]);
  });
});
