import type { PlatformAbortSignal } from '../internal/platform.ts';
import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Messages } from '../model/messages.ts';
import { answerMessage } from './answer-content.ts';
import { type Decision, denialOf, type Verdicts, verdictsOf } from './approval.ts';
import type { AssistantTurn } from './assistant-turn.ts';
import { modelMessage } from './model-turn.ts';
import {
  type CallOptions,
  outcome,
  prepareCall,
  type Ran,
  type ReadyCall,
  refuseCall,
  type RefusedCall,
  runCall,
  textAnswer,
  type ToolTrace,
} from './run-call.ts';
import type { Model, RunPendingOptions, ToolRun, ToolStep } from './run-tools.ts';
import { type PlacedCall, RunningTurn } from './running-turn.ts';
import { CLOSED_TEXTS } from './texts.ts';
import { TurnError } from './turn-error.ts';
import { type PendingCall, turns } from './tool-turns.ts';
import { Work } from './work.ts';

/** How it runs, whatever the inputs of the tools. */
type RunOptions = CallOptions & Omit<RunPendingOptions, 'tools'>;

/** A call that is ready to run, or refused. */
type Prepared = PlacedCall & (ReadyCall | RefusedCall);

/** One run of the loop: the store as it grows, and what was done. Each step is given out after `onStep` kept it. */
export class Run {
  /** How often the model answered. */
  asked = 0;
  #store: MessageStore;
  readonly #options: RunOptions;
  #decisions: readonly Decision[];
  readonly #trace: ToolTrace[] = [];

  constructor(store: MessageStore, options: RunOptions) {
    this.#store = store;
    this.#options = options;
    this.#decisions = options.decisions ?? [];
  }

  get #isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #messages(): Messages {
    return this.#store.section(this.#options.section).messages();
  }

  #pending(): PendingCall[] {
    return turns(this.#store, this.#options.section).pending();
  }

  /** Whether the model has answers to read. */
  hasAnswers(): boolean {
    return this.#messages().last()?.isTool() === true;
  }

  end(status: ToolRun['status'], iterations: number, truncated = false): ToolRun {
    const ended = { store: this.#store, iterations, truncated, trace: [...this.#trace] };
    if (status !== 'pending') return { ...ended, status, pending: [] };
    return { ...ended, status, pending: this.#pending() as [PendingCall, ...PendingCall[]] };
  }

  #with(messages: Messages): MessageStore {
    return this.#store.setSection(this.#store.section(this.#options.section).get().withMessages(messages));
  }

  async #step(messages: Messages, message: Message): Promise<ToolStep> {
    const store = this.#with(messages);
    const all = this.#trace;
    const { length } = all;
    this.#store = store;
    await this.#options.onStep?.(store);
    return {
      store,
      message,
      get trace() {
        return all.slice(0, length);
      },
    };
  }

  /** Asks the model for its turn and appends it. */
  async *ask(model: Model, tools: readonly string[]): AsyncGenerator<ToolStep, 'done' | 'aborted', undefined> {
    const { section, signal } = this.#options;
    if (this.#isAborted) return 'aborted';
    this.#requireComplete();
    let turn: AssistantTurn;
    try {
      turn = await model(this.#store.toMessages(), { store: this.#store, tools, signal });
    } catch (error) {
      if (this.#isAborted) return 'aborted';
      throw error;
    }
    this.asked++;
    const message = modelMessage(turn, section, this.#messages());
    yield this.#step(this.#messages().appendMessage(message), message);
    return this.#isAborted ? yield* this.#abort() : 'done';
  }

  /** No list with an open turn is sent, whatever section the turn stands in. */
  #requireComplete(): void {
    for (const { name } of this.#store.sections) turns(this.#store, name).assertComplete();
  }

  /** Settles what is still open, in one step. */
  async *settle(): AsyncGenerator<ToolStep, void, undefined> {
    const open = RunningTurn.at(this.#messages());
    const last = open?.waiting().at(-1);
    if (open === undefined || last === undefined) return;
    const cancelled = textAnswer(CLOSED_TEXTS.cancelled, 'cancelled');
    for (const { call } of open.waiting()) this.#trace.push(outcome(call, cancelled, {}, 0).trace);
    const { section } = this.#options;
    const closed = turns(this.#with(open.messages), section).close().section(section).messages();
    yield this.#step(closed, (RunningTurn.at(closed) as RunningTurn).answerAt(last.place));
  }

  async *#abort(): AsyncGenerator<ToolStep, 'aborted', undefined> {
    yield* this.settle();
    return 'aborted';
  }

  /** Answers the calls that wait, as far as they need no approval. */
  async *pending(): AsyncGenerator<ToolStep, ToolRun['status'], undefined> {
    const verdicts = verdictsOf(this.#decisions, this.#pending());
    // They hold for this turn: later ones may have calls with the same ids.
    this.#decisions = [];
    const open = RunningTurn.at(this.#messages());
    if (open !== undefined) yield* this.#deny(open, verdicts);
    if (this.#isAborted) return yield* this.#abort();
    if (open === undefined || open.waiting().length === 0) return 'done';
    if (open.message.incomplete !== undefined) {
      yield* this.settle();
      return 'done';
    }
    const isHeld = yield* this.#answer(open, verdicts);
    if (this.#isAborted) return yield* this.#abort();
    return isHeld ? 'pending' : 'done';
  }

  /** Decisions that come a second time, or too late, must not ask the model once more. */
  refuseLateDecisions(): void {
    if (this.#decisions.length === 0 || this.#pending().length > 0) return;
    throw new TurnError(
      'tool_turn_closed',
      'no call waits for a decision: those that were given came too late, or were given before. Leave them out to ask the model for its next turn.',
      { section: this.#options.section },
    );
  }

  /** Answers what a person refused. */
  async *#deny(open: RunningTurn, { denied }: Verdicts): AsyncGenerator<ToolStep, void, undefined> {
    const refused = open.waiting().filter(({ place }) => denied.has(place));
    for (const one of refused)
      yield this.#take(open, { ...one, ...denialOf(one, denied.get(one.place) as Decision, this.#options) });
  }

  /** Runs the calls of a turn that may run, until the signal aborts; says whether any waits for approval. */
  async *#answer(open: RunningTurn, { approved }: Verdicts): AsyncGenerator<ToolStep, boolean, undefined> {
    const work = new Work<PlacedCall & Ran>(this.#options.signal);
    try {
      const preparing = Promise.all(open.waiting().map((one) => this.#prepare(one, open.message, work.signal)));
      const prepared = (await Promise.race([preparing, work.aborted])) ?? [];
      const free = prepared.filter((call) => !needsApproval(call) || approved.has(call.place));
      const isHeld = free.length < prepared.length;
      if (isHeld && this.#options.approval === 'turn') return true;
      for (const call of free) void work.add(this.#run(call));
      for (let ran = await work.next(); ran !== undefined; ran = await work.next()) yield this.#take(open, ran);
      return isHeld;
    } finally {
      work.end();
    }
  }

  async #prepare(one: PlacedCall, message: Message, signal: PlatformAbortSignal): Promise<Prepared> {
    return { ...one, ...(await prepareCall(one.call, message, { ...this.#options, signal })) };
  }

  async #run(one: Prepared): Promise<PlacedCall & Ran> {
    const ran = 'tool' in one ? await runCall(one, this.#options) : refuseCall(one, this.#options);
    return { place: one.place, call: one.call, ...ran };
  }

  /** Takes the answer to a call. */
  #take(open: RunningTurn, { place, call, trace, ...said }: PlacedCall & Ran): Promise<ToolStep> {
    const message = answerMessage(call, said);
    this.#trace.push(trace);
    open.answer(place, message);
    return this.#step(open.messages, message);
  }
}

function needsApproval(call: Prepared): boolean {
  return 'tool' in call && call.needsApproval;
}
