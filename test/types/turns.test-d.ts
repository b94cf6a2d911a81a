import { describe, expectTypeOf, it } from 'vitest';
import {
  type JsonObject,
  type Message,
  type MessageStore,
  type Model,
  type ModelContext,
  type PendingCall,
  runPendingTools,
  runTools,
  type StandardSchema,
  tool,
  type Tool,
  type ToolCall,
  type ToolRun,
  type Tools,
  toolSteps,
  type ToolTrace,
} from 'message-store';
import type OpenAI from 'openai';
import * as z from 'zod';

declare const store: MessageStore;
declare const model: Model;

describe('tool', () => {
  it('gives its handlers what a zod schema gives', () => {
    const input = z.object({ city: z.string(), days: z.coerce.number(), unit: z.enum(['C', 'F']).optional() });
    const weather = tool({
      input,
      needsApproval: (given) => {
        expectTypeOf(given).toEqualTypeOf<z.output<typeof input>>();
        return given.days > 7;
      },
      run: (given, { call, message }) => {
        expectTypeOf(given).toEqualTypeOf<{ city: string; days: number; unit?: 'C' | 'F' | undefined }>();
        expectTypeOf(call).toEqualTypeOf<ToolCall>();
        expectTypeOf(message).toEqualTypeOf<Message>();
        return given.city;
      },
    });
    expectTypeOf(weather).toEqualTypeOf<Tool<z.output<typeof input>>>();
  });

  it('gives its handlers what a zod schema makes of the arguments', () => {
    tool({
      input: z.object({ at: z.string() }).transform(({ at }) => new Date(at)),
      run: (given) => {
        expectTypeOf(given).toEqualTypeOf<Date>();
      },
    });
  });

  it('gives its handlers what any schema of the standard gives', () => {
    tool({
      input: {} as StandardSchema<{ readonly n: number }>,
      run: (given) => {
        expectTypeOf(given).toEqualTypeOf<{ readonly n: number }>();
      },
    });
  });

  it('gives its handler a JSON object where there is no schema', () => {
    const plain = tool({
      run: (given) => {
        expectTypeOf(given).toEqualTypeOf<JsonObject>();
      },
    });
    expectTypeOf(plain).toEqualTypeOf<Tool>();
  });

  it('takes a handler with a promise', () => {
    tool({ run: async () => ({ celsius: 12 }) });
  });

  it('takes an approval that takes its time', () => {
    tool({ input: z.object({ n: z.number() }), needsApproval: async ({ n }) => n > 1, run: () => '' });
  });

  it('refuses what the schema does not give', () => {
    const input = z.object({ city: z.string() });
    // @ts-expect-error there is no such key
    tool({ input, run: ({ town }) => town });
    // @ts-expect-error the schema gives no more than the city
    tool({ input, run: (given: { city: string; days: number }) => given.days });
    // @ts-expect-error without a schema nothing says that there is a city
    tool({ run: (given: { city: string }) => given.city });
    // @ts-expect-error a tool needs something to run
    tool({ input: z.object({}) });
    // @ts-expect-error no boolean
    tool({ needsApproval: 'yes', run: () => '' });
  });
});

describe('tools', () => {
  const tools = {
    weather: tool({ input: z.object({ city: z.string() }), run: ({ city }) => city }),
    pay: tool({ input: z.object({ amount: z.number() }), needsApproval: ({ amount }) => amount > 10, run: () => 'ok' }),
    plain: tool({ run: (given) => given }),
    inline: { run: () => 'ok' },
  };

  it('of different inputs are taken together', () => {
    expectTypeOf(tools).toExtend<Tools>();
    expectTypeOf(runTools(store, { section: 'chat', model, tools })).toEqualTypeOf<Promise<ToolRun>>();
    void runPendingTools(store, { section: 'chat', tools, signal: new AbortController().signal });
    toolSteps(store, { section: 'chat', model, tools });
  });

  const city = z.object({ city: z.string() });
  const options = { section: 'chat', model };

  it('get what their schemas give where they are written in place', () => {
    void runTools(store, {
      ...options,
      tools: {
        weather: {
          input: city,
          needsApproval: (given) => {
            expectTypeOf(given).toEqualTypeOf<{ city: string }>();
            return false;
          },
          run: (given, { signal }) => {
            expectTypeOf(given).toEqualTypeOf<{ city: string }>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
          },
        },
        days: {
          input: z.object({ at: z.string() }).transform(({ at }) => new Date(at)),
          run: (given) => {
            expectTypeOf(given).toEqualTypeOf<Date>();
          },
        },
        plain: {
          run: (given) => {
            expectTypeOf(given).toEqualTypeOf<JsonObject>();
          },
        },
        made: tool({ input: city, run: (given) => given.city }),
      },
    });
    void runPendingTools(store, { section: 'chat', tools: { weather: { input: city, run: (given) => given.city } } });
    toolSteps(store, { ...options, tools: { weather: { input: city, run: (given) => given.city } } });
  });

  it('are checked where they are written in place', () => {
    // @ts-expect-error no such key
    void runTools(store, { ...options, tools: { weather: { input: city, run: ({ town }) => town } } });
    // @ts-expect-error another input
    void runTools(store, { ...options, tools: { weather: { input: city, run: ({ n }: { n: number }) => n } } });
    const asks = (n: number): boolean => n > 1;
    // @ts-expect-error another input to decide by
    void runTools(store, { ...options, tools: { f: { input: city, needsApproval: asks, run: () => 1 } } });
    // @ts-expect-error nothing says that there is a city
    void runTools(store, { ...options, tools: { weather: { run: (given: { city: string }) => given.city } } });
    // @ts-expect-error no such key
    void runPendingTools(store, { section: 'chat', tools: { f: { input: city, run: ({ town }) => town } } });
    // @ts-expect-error no such key
    toolSteps(store, { ...options, tools: { f: { input: city, run: ({ town }) => town } } });
    // @ts-expect-error no tool
    void runTools(store, { ...options, tools: { weather: () => '12 °C' } });
  });

  it('can be kept, whatever their inputs', () => {
    const kept: Tools = {
      weather: tool({ input: city, run: (given) => given.city }),
      plain: tool({ run: () => 'ok' }),
    };
    void runTools(store, { ...options, tools: kept });
    const all: Tools = {
      ...kept,
      more: tool({ input: city, needsApproval: (given) => given.city === '', run: () => 1 }),
    };
    void runPendingTools(store, { section: 'chat', tools: all });
  });

  it('are tools', () => {
    // @ts-expect-error no tool
    const none: Tools = { weather: () => '12 °C' };
    // @ts-expect-error no schema
    const unchecked: Tools = { weather: { input: { type: 'object' }, run: () => '12 °C' } };
    void [none, unchecked];
  });
});

describe('a run', () => {
  it('narrows on its status', () => {
    const shown = (run: ToolRun): string => {
      expectTypeOf(run.trace).toEqualTypeOf<readonly ToolTrace[]>();
      expectTypeOf(run.status).toEqualTypeOf<'done' | 'pending' | 'aborted'>();
      switch (run.status) {
        case 'pending':
          expectTypeOf(run.pending).toEqualTypeOf<readonly [PendingCall, ...PendingCall[]]>();
          return run.pending[0].name;
        case 'done':
        case 'aborted':
          expectTypeOf(run.pending).toEqualTypeOf<readonly []>();
          return run.status;
      }
    };
    expectTypeOf(shown).returns.toEqualTypeOf<string>();
  });

  it('gives calls that decisions can name', async () => {
    const { pending } = await runPendingTools(store, { section: 'chat', tools: {} });
    await runPendingTools(store, {
      section: 'chat',
      tools: {},
      decisions: pending.map((call) => ({ call, approved: true })),
    });
  });
});

it('a model is a plain function', () => {
  const plain: Model = () => ({ content: 'Hi' });
  const asynchronous: Model = async (messages, context) => {
    expectTypeOf(context).toEqualTypeOf<ModelContext>();
    return messages.last() ?? {};
  };
  const text: Model = () => 'Hi';
  const noCalls: Model = () => ({ content: 'Hi', toolCalls: null });
  void [plain, asynchronous, text, noCalls];
  // @ts-expect-error no turn of a model
  const wrong: Model = () => 7;
  // @ts-expect-error a whole response
  const response: Model = () => ({ choices: [] });
  // @ts-expect-error nothing at all
  const nothing: Model = () => undefined;
  void [wrong, response, nothing];
});

it('a model may give what a client gives it', () => {
  const completion = {} as OpenAI.ChatCompletion;
  const message: Model = () => completion.choices[0]!.message;
  // @ts-expect-error the whole response
  const response: Model = () => completion;
  void [message, response];
});
