import { reject } from '../errors.ts';
import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Messages } from '../model/messages.ts';
import type { PlatformAbortSignal } from '../internal/platform.ts';
import type { Decision } from './approval.ts';
import type { AssistantTurn } from './assistant-turn.ts';
import type { CallOptions, ToolTrace } from './run-call.ts';
import { Run } from './run.ts';
import type { ToolDefinitions } from './tool.ts';
import type { PendingCall } from './tool-turns.ts';

/** What a model is told beside the messages. */
export interface ModelContext {
  readonly store: MessageStore;
  /** The names of the tools that it may call; empty in the closing call, and where there are none. */
  readonly tools: readonly string[];
  readonly signal: PlatformAbortSignal | undefined;
}

/**
 * Asks a model for its next turn. It is given the messages of all sections in order, without blank ones; the store
 * beside them is for choosing others. The loop waits for it, so a model that can be cancelled listens to the signal, and
 * throws or gives what it has so far.
 */
export type Model = (messages: Messages, context: ModelContext) => AssistantTurn | Promise<AssistantTurn>;

/** How pending calls are run. */
export interface RunPendingOptions<Inputs = Record<string, unknown>> extends CallOptions {
  /** Each with handlers that get what its schema gives. */
  readonly tools: ToolDefinitions<Inputs>;
  /** The section with the conversation. */
  readonly section: string;
  /** What was decided about calls that need approval. It holds for the turn that is open at the start. */
  readonly decisions?: readonly Decision[] | undefined;
  /**
   * Whether a call that needs approval holds back the other calls of its turn (`turn`): then nothing runs until all
   * that need it are decided in one run. Default `siblings`: the others run.
   */
  readonly approval?: 'siblings' | 'turn' | undefined;
  /**
   * Called with the store after each appended message (once for a whole turn that is settled), and awaited: what it
   * keeps is never lost. Where it throws, the run rejects and tools that still run see their signal abort; calls whose
   * answers were not kept run again when the store that was kept is resumed.
   */
  readonly onStep?: ((store: MessageStore) => void | Promise<void>) | undefined;
}

/** How the loop runs. */
export interface RunToolsOptions<Inputs = Record<string, unknown>> extends RunPendingOptions<Inputs> {
  readonly model: Model;
  /** How often the model may answer with tools at hand in this run; after that it is asked once more without. Default 5. */
  readonly maxIterations?: number | undefined;
}

/** Where the loop stands, after each appended message, or after a whole turn was settled. */
export interface ToolStep {
  readonly store: MessageStore;
  /** What was appended last. */
  readonly message: Message;
  readonly trace: readonly ToolTrace[];
}

/** How the loop ended. */
export type ToolRun = {
  readonly store: MessageStore;
  /** How often the model answered, the closing call left out. */
  readonly iterations: number;
  /** Whether the limit ended it. */
  readonly truncated: boolean;
  /** What became of the calls, in the order of their answers. */
  readonly trace: readonly ToolTrace[];
} & (
  | {
      /** `done`: the model has no more calls, or was asked as often as allowed (`truncated`). `aborted`: the signal ended it. */
      readonly status: 'done' | 'aborted';
      readonly pending: readonly [];
    }
  | {
      /** Calls wait for approval. */
      readonly status: 'pending';
      /** The calls that wait. */
      readonly pending: readonly [PendingCall, ...PendingCall[]];
    }
);

const MAX_ITERATIONS = 5;

/**
 * Lets a model and its tools speak in turns until the model has nothing more to call: each model turn is appended as
 * one message, each answer behind it in call order. Tools of one turn run at once. A tool that is unknown, not
 * permitted, given wrong arguments or failing becomes an error answer, and the loop goes on. Calls that need approval
 * leave the turn open: run it again with `decisions`.
 *
 * @throws TurnError `tool_turn_open` where another section has an open turn: no model is given one;
 * `tool_turn_closed` where there are decisions and no call that waits
 * @throws whatever the model throws; the history up to there went through `onStep`, the error does not have it
 * @example
 * import { MessageStore, runTools, tool } from 'message-store';
 * const weather = tool({ run: () => '12 °C' });
 * const answers = [{ toolCalls: [{ id: 'c1', name: 'weather' }] }, { content: 'It is 12 °C.' }];
 * const { store } = await runTools(MessageStore.fromMessages('Weather?', 'chat'), {
 *   section: 'chat', model: () => answers.shift() ?? {}, tools: { weather },
 * });
 * store.toMessages().map((m) => m.role) // => ['user', 'assistant', 'tool', 'assistant']
 */
export async function runTools<Inputs>(store: MessageStore, options: RunToolsOptions<Inputs>): Promise<ToolRun> {
  const steps = toolSteps(store, options);
  let next = await steps.next();
  while (next.done !== true) next = await steps.next();
  return next.value;
}

/**
 * {@link runTools} step by step: gives the store after each appended message, and returns how the loop ended, which
 * `for await` does not show. Leaving it early aborts the signal of the tools that still run.
 */
export async function* toolSteps<Inputs>(
  store: MessageStore,
  options: RunToolsOptions<Inputs>,
): AsyncGenerator<ToolStep, ToolRun, undefined> {
  const { model, maxIterations = MAX_ITERATIONS, tools, allowed } = options;
  if (typeof maxIterations !== 'number' || !(maxIterations >= 0))
    reject('maxIterations', 'a number from 0', maxIterations);
  const run = new Run(store, options);
  run.refuseLateDecisions();
  const offered = Object.keys(tools).filter((name) => allowed?.includes(name) ?? true);
  for (;;) {
    const status = yield* run.pending();
    const isOver = run.asked > 0 && (offered.length === 0 || !run.hasAnswers());
    if (status !== 'done' || isOver) return run.end(status, run.asked);
    if (run.asked >= maxIterations) break;
    if ((yield* run.ask(model, offered)) === 'aborted') return run.end('aborted', run.asked);
  }
  const iterations = run.asked;
  const closing = yield* run.ask(model, []);
  yield* run.settle();
  return run.end(closing, iterations, true);
}

/** Runs the calls that wait for their answers, and nothing else. */
export async function runPendingTools<Inputs>(
  store: MessageStore,
  options: RunPendingOptions<Inputs>,
): Promise<ToolRun> {
  const run = new Run(store, options);
  const steps = run.pending();
  let next = await steps.next();
  while (next.done !== true) next = await steps.next();
  return run.end(next.value, 0);
}
