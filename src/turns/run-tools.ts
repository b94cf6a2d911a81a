import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Messages } from '../model/messages.ts';
import type { AbortSignalLike } from '../internal/platform.ts';
import type { AssistantTurn } from './assistant-turn.ts';
import { modelMessage } from './model-turn.ts';
import {
  type CallOptions,
  prepareCall,
  type Ran,
  type ReadyCall,
  refuseCall,
  type RefusedCall,
  runCall,
  type ToolTrace,
} from './run-call.ts';
import { lastTurn, type LastTurn } from './open-turn.ts';
import { type CallHandle, type PendingCall, type ToolTurns, turns } from './tool-turns.ts';

/** What a model is told beside the messages. */
export interface ModelContext {
  readonly store: MessageStore;
  /** The names of the tools that it may call; empty in the closing call, and where there are none. */
  readonly tools: readonly string[];
  readonly signal: AbortSignalLike | undefined;
}

/**
 * Asks a model for its next turn. It is given the messages of all sections in order, without blank ones; the store
 * beside them is for choosing others. The loop waits for it, so a model that can be cancelled listens to the signal, and
 * throws or gives what it has so far.
 */
export type Model = (messages: Messages, context: ModelContext) => AssistantTurn | Promise<AssistantTurn>;

/** What a person decided about a call. */
export interface Decision {
  /** What {@link ToolTurns.pending} gave. A decision about a call that does not wait at the start has no effect. */
  readonly call: CallHandle;
  readonly approved: boolean;
  /** What the model gets to read where it was not approved. */
  readonly content?: string | undefined;
}

/** How pending calls are run. */
export interface RunPendingOptions extends CallOptions {
  /** The section with the conversation. */
  readonly section: string;
  /** What was decided about calls that need approval. */
  readonly decisions?: readonly Decision[] | undefined;
  /** Whether a call that needs approval holds back the other calls of its turn (`turn`). Default `siblings`: they run. */
  readonly approval?: 'siblings' | 'turn' | undefined;
  /** Called with the store after each appended message (once for a whole turn that is settled), and awaited: what it keeps is never lost. */
  readonly onStep?: ((store: MessageStore) => void | Promise<void>) | undefined;
}

/** How the loop runs. */
export interface RunToolsOptions extends RunPendingOptions {
  readonly model: Model;
  /** How often the model may answer with tools at hand; after that it is asked once more without. Default 5. */
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
  readonly trace: readonly ToolTrace[];
} & (
  | {
      /** `done`: the model has no more calls. `aborted`: the signal ended it. */
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
 * @throws whatever the model throws; the history up to there went through `onStep`
 * @example
 * import { MessageStore, runTools, tool } from 'message-store';
 * const weather = tool({ run: () => '12 °C' });
 * const answers = [{ toolCalls: [{ id: 'c1', name: 'weather' }] }, { content: 'It is 12 °C.' }];
 * const { store } = await runTools(MessageStore.fromMessages('Weather?', 'chat'), {
 *   section: 'chat', model: () => answers.shift() ?? {}, tools: { weather },
 * });
 * store.toMessages().map((m) => m.role) // => ['user', 'assistant', 'tool', 'assistant']
 */
export async function runTools(store: MessageStore, options: RunToolsOptions): Promise<ToolRun> {
  const steps = toolSteps(store, options);
  let next = await steps.next();
  while (next.done !== true) next = await steps.next();
  return next.value;
}

/** {@link runTools} step by step: gives the store after each appended message, and in the end how the loop ended. */
export async function* toolSteps(
  store: MessageStore,
  options: RunToolsOptions,
): AsyncGenerator<ToolStep, ToolRun, undefined> {
  const run = new Run(store, options);
  const { model, maxIterations = MAX_ITERATIONS, tools, allowed } = options;
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
export async function runPendingTools(store: MessageStore, options: RunPendingOptions): Promise<ToolRun> {
  const run = new Run(store, options);
  const steps = run.pending();
  let next = await steps.next();
  while (next.done !== true) next = await steps.next();
  return run.end(next.value, 0);
}

/** What was decided about a call that waits. */
type Decided = Omit<Decision, 'call'> & { readonly call: PendingCall };

class Run {
  /** How often the model answered. */
  asked = 0;
  #store: MessageStore;
  readonly #options: RunPendingOptions;
  #decisions: readonly Decision[];
  readonly #trace: ToolTrace[] = [];

  constructor(store: MessageStore, options: RunPendingOptions) {
    this.#store = store;
    this.#options = options;
    this.#decisions = options.decisions ?? [];
  }

  #turns(): ToolTurns {
    return turns(this.#store, this.#options.section);
  }

  #messages(): Messages {
    return this.#store.section(this.#options.section).messages();
  }

  /** Whether the model has answers to read. */
  hasAnswers(): boolean {
    return this.#messages().last()?.isTool() === true;
  }

  end(status: ToolRun['status'], iterations: number, truncated = false): ToolRun {
    const ended = { store: this.#store, iterations, truncated, trace: [...this.#trace] };
    if (status !== 'pending') return { ...ended, status, pending: [] };
    return { ...ended, status, pending: this.#turns().pending() as [PendingCall, ...PendingCall[]] };
  }

  async #step(store: MessageStore, find: (messages: Messages) => Message | undefined): Promise<ToolStep> {
    this.#store = store;
    await this.#options.onStep?.(store);
    return { store, message: find(this.#messages()) as Message, trace: [...this.#trace] };
  }

  /** Asks the model for its turn and appends it. */
  async *ask(model: Model, tools: readonly string[]): AsyncGenerator<ToolStep, 'done' | 'aborted', undefined> {
    const { signal } = this.#options;
    if (isAborted(signal)) return 'aborted';
    let turn: AssistantTurn;
    try {
      turn = await model(this.#store.toMessages(), { store: this.#store, tools, signal });
    } catch (error) {
      if (isAborted(signal)) return 'aborted';
      throw error;
    }
    this.asked++;
    const { section } = this.#options;
    const message = modelMessage(turn, section, this.#messages());
    yield this.#step(this.#store.section(section).appendMessages(message), () => message);
    return isAborted(signal) ? yield* this.#abort() : 'done';
  }

  /** Settles what is still open. */
  async *settle(): AsyncGenerator<ToolStep, void, undefined> {
    const last = this.#turns().pending().at(-1);
    if (last !== undefined) yield this.#step(this.#turns().close(), answerTo(last.id));
  }

  async *#abort(): AsyncGenerator<ToolStep, 'aborted', undefined> {
    yield* this.settle();
    return 'aborted';
  }

  /** Answers the calls that wait, as far as they need no approval. */
  async *pending(): AsyncGenerator<ToolStep, ToolRun['status'], undefined> {
    const decided = this.#takeDecisions();
    yield* this.#deny(decided);
    if (this.#turns().pending().length === 0) return 'done';
    if (isAborted(this.#options.signal)) return yield* this.#abort();
    const { message } = lastTurn(this.#messages()) as LastTurn;
    if (message.incomplete !== undefined) {
      yield* this.settle();
      return 'done';
    }
    const isHeld = yield* this.#answer(message, decided);
    if (isAborted(this.#options.signal)) return yield* this.#abort();
    return isHeld ? 'pending' : 'done';
  }

  /** What was decided about the calls that wait at the start. It is asked for once, since later turns may have calls with the same ids. */
  #takeDecisions(): Decided[] {
    const decisions = this.#decisions;
    this.#decisions = [];
    const waiting = this.#turns().pending();
    return decisions.flatMap((decision) => {
      const call = waiting.find((one) => isMeant(one, decision.call));
      return call === undefined ? [] : [{ ...decision, call }];
    });
  }

  /** Answers what a person refused. */
  async *#deny(decided: readonly Decided[]): AsyncGenerator<ToolStep, void, undefined> {
    const refused = new Map(decided.filter(({ approved }) => !approved).map((one) => [one.call.id, one]));
    for (const { call, content } of refused.values()) {
      const text = content ?? `Error: tool ${JSON.stringify(call.name)} was denied by the operator.`;
      yield this.#step(this.#turns().answer(call, text, { status: 'denied' }), answerTo(call.id));
    }
  }

  /** Runs the calls of a turn that may run, until the signal aborts; says whether any waits for approval. */
  async *#answer(message: Message, decided: readonly Decided[]): AsyncGenerator<ToolStep, boolean, undefined> {
    const abort = aborting(this.#options.signal);
    try {
      const waiting = this.#turns().pending();
      const preparing = Promise.all(waiting.map(({ call }) => prepareCall(call, message, this.#options)));
      const prepared = (await Promise.race([preparing, abort.promise])) ?? [];
      const approved = new Set(decided.flatMap((one) => (one.approved ? [one.call.call] : [])));
      const free = prepared.filter((call) => !needsApproval(call) || approved.has(call.call));
      const isHeld = free.length < prepared.length;
      if (!isHeld || this.#options.approval !== 'turn') yield* this.#runAll(free, abort.promise);
      return isHeld;
    } finally {
      abort.stop();
    }
  }

  /** Runs calls at once and appends each answer as it comes, until the signal aborts. */
  async *#runAll(
    calls: readonly (ReadyCall | RefusedCall)[],
    aborted: Promise<undefined>,
  ): AsyncGenerator<ToolStep, void, undefined> {
    const running = new Map(calls.map((call, at) => [at, this.#run(call).then((ran) => ({ at, ...ran }))]));
    while (running.size > 0) {
      const ran = await Promise.race([...running.values(), aborted]);
      if (ran === undefined) return;
      const { at, content, status, trace } = ran;
      running.delete(at);
      this.#trace.push(trace);
      yield this.#step(this.#turns().answer(trace.id, content, { status }), answerTo(trace.id));
    }
  }

  #run(call: ReadyCall | RefusedCall): Promise<Ran> {
    return 'tool' in call ? runCall(call, this.#options) : Promise.resolve(refuseCall(call, this.#options));
  }
}

function needsApproval(call: ReadyCall | RefusedCall): boolean {
  return 'tool' in call && call.needsApproval;
}

function isAborted(signal: AbortSignalLike | undefined): boolean {
  return signal?.aborted === true;
}

/** Whether a handle means a call that waits: a bare id may mean any with this id. */
function isMeant({ id, turn, messageId }: PendingCall, handle: CallHandle): boolean {
  if (typeof handle === 'string') return handle === id;
  return handle.id === id && (handle.turn ?? turn) === turn && (handle.messageId ?? messageId) === messageId;
}

/** Finds the message that answers a call of the last turn. */
function answerTo(id: string): (messages: Messages) => Message | undefined {
  return (messages) => {
    const { message, answers } = lastTurn(messages) as LastTurn;
    const place = [...message.toolCalls].findIndex((call) => call.idString() === id);
    return messages.at(answers[place] as number);
  };
}

/** A promise that is kept when a signal aborts that has not yet, and how to stop listening. */
interface Aborting {
  readonly promise: Promise<undefined>;
  readonly stop: () => void;
}

function aborting(signal: AbortSignalLike | undefined): Aborting {
  let listener: (() => void) | undefined;
  const promise = new Promise<undefined>((resolve) => {
    listener = () => resolve(undefined);
    signal?.addEventListener('abort', listener);
  });
  return { promise, stop: () => signal?.removeEventListener('abort', listener as () => void) };
}
