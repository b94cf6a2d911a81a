import type { Message } from '../model/message.ts';
import type { MessageRole } from '../model/message-role.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { answeredId, callId, FreeIds } from './call-id.ts';
import { isNamed, REPAIRED_NAME } from './call-name.ts';
import { joinAsking } from './join-asking.ts';
import { type Matches, matchAnswers, type Stray, type Turn } from './match.ts';
import { withResultKeys } from './result-keys.ts';
import { syntheticAnswer } from './synthetic.ts';
import { REPAIRED_TEXT } from './texts.ts';
import { isWellOrdered } from './well-ordered.ts';

/** One thing that a repair changed. `at` is the place of the message before the repair. */
export type Change =
  | { readonly change: 'joined'; readonly at: number }
  | { readonly change: 'synthesised'; readonly at: number; readonly id: string }
  | { readonly change: 'dropped'; readonly at: number; readonly id: string; readonly why: Stray }
  | { readonly change: 'hoisted'; readonly at: number; readonly id: string }
  | { readonly change: 'reordered'; readonly at: number; readonly id: string }
  | { readonly change: 'renamed'; readonly at: number; readonly from: string; readonly to: string }
  | { readonly change: 'named'; readonly at: number; readonly id: string; readonly to: string }
  | { readonly change: 'recast'; readonly at: number; readonly id: string; readonly from: MessageRole }
  | { readonly change: 'stripped'; readonly at: number; readonly what: 'tool_calls' | 'tool_result' };

/** How a history is repaired. */
export interface RepairOptions {
  /** Whether the calls of the very last turn stay unanswered, since their tools may still answer. Default: they stay. */
  readonly keepOpenTail?: boolean;
  /**
   * Whether assistant messages that ask one after another, and are answered together behind the last of them, become
   * one, as requests want them. Default: the answers go behind the message that asked.
   */
  readonly joinAsking?: boolean;
}

/** A history that providers take, and what was changed to make it one. */
export interface Repaired {
  readonly messages: Messages;
  readonly changes: readonly Change[];
}

/**
 * A history in which every call has its answer right behind it, and every answer its call: real answers are moved
 * where they belong, before made-up ones and whatever their role, what is missing is made up and marked `synthetic`,
 * what answers nothing is dropped. Itself where nothing is wrong. Deterministic, idempotent, linear; it never throws, however broken the history.
 *
 * @throws InvalidInputError where the input cannot be read as messages at all
 *
 * @example
 * import { repair } from 'message-store';
 * import { call, chat } from 'message-store/testing';
 * const { messages, changes } = repair(chat(call('weather'), 'Never mind'));
 * [messages.map((m) => m.role), changes] // => [['assistant', 'tool', 'user'], [{ change: 'synthesised', at: 0, id: 'weather' }]]
 */
export function repair(input: MessagesInput, options: RepairOptions = {}): Repaired {
  const messages = Messages.from(input);
  if (isWellOrdered(messages)) return { messages, changes: [] };
  return options.joinAsking === true ? repairJoined(messages, options) : repairEach(messages, options);
}

function repairJoined(given: Messages, options: RepairOptions): Repaired {
  const { messages, places } = joinAsking(given);
  if (messages.size === given.size) return repairEach(given, options);
  const kept = new Set(places);
  const joined = given.map((_, at): Change => ({ change: 'joined', at })).filter(({ at }) => !kept.has(at));
  const repaired = repairEach(messages, options);
  const moved = repaired.changes.map((change): Change => ({ ...change, at: places[change.at] as number }));
  return { messages: repaired.messages, changes: [...joined, ...moved] };
}

function repairEach(messages: Messages, { keepOpenTail = true }: RepairOptions): Repaired {
  const changes: Change[] = [];
  const matches = matchAnswers(messages);
  const stripped = messages.map((message, at) => withoutMisplaced(message, at, matches, changes));
  const out = new Repairer(stripped, matches, changes).run(keepOpenTail ? matches.last : undefined);
  return changes.length === 0 ? { messages, changes } : { messages: Messages.owning(out), changes };
}

/** Without calls that are not an assistant's, and without a result that is not a tool's and answers nothing. */
function withoutMisplaced(message: Message, at: number, { owners }: Matches, changes: Change[]): Message {
  let next = message;
  if (message.hasToolCalls() && !message.isAssistant()) {
    next = next.withToolCalls([]);
    changes.push({ change: 'stripped', at, what: 'tool_calls' });
  }
  if (message.hasToolResult() && !message.isTool() && owners[at] === undefined) {
    next = next.withToolResult(undefined);
    changes.push({ change: 'stripped', at, what: 'tool_result' });
  }
  return next;
}

class Repairer {
  readonly #messages: readonly Message[];
  readonly #matches: Matches;
  readonly #changes: Change[];
  readonly #out: Message[] = [];
  #turnsDone = 0;

  constructor(messages: readonly Message[], matches: Matches, changes: Change[]) {
    this.#messages = messages;
    this.#matches = matches;
    this.#changes = changes;
  }

  /** The messages in their new order; the calls of `open` stay unanswered. */
  run(open: Turn | undefined): Message[] {
    const { turns, owners, strays } = this.#matches;
    this.#messages.forEach((message, at) => {
      const turn = turns[this.#turnsDone];
      const why = strays.get(at);
      if (turn?.index === at) this.#turn(turn, open);
      else if (why !== undefined) this.#changes.push({ change: 'dropped', at, id: answeredId(message), why });
      else if (owners[at] === undefined) this.#out.push(message);
    });
    return this.#out;
  }

  #turn(turn: Turn, open: Turn | undefined): void {
    this.#turnsDone++;
    const calls = this.#distinct(turn);
    const asking = withCalls(this.#messages[turn.index] as Message, calls);
    this.#out.push(asking);
    let latest = -1;
    turn.calls.forEach(({ answer }, place) => {
      const call = calls[place] as ToolCall;
      if (answer !== undefined) {
        this.#answer(call, answer, answer < latest);
        if (!this.#matches.displaced.has(answer)) latest = Math.max(latest, answer);
      } else if (turn !== open) {
        this.#out.push(syntheticAnswer(asking, call, place, REPAIRED_TEXT));
        this.#changes.push({ change: 'synthesised', at: turn.index, id: call.idString() });
      }
    });
  }

  /** The answer in its place, bound to its call, in the role of a tool. */
  #answer(call: ToolCall, at: number, isLate: boolean): void {
    const message = this.#messages[at] as Message;
    const id = call.idString();
    if (this.#matches.displaced.has(at)) this.#changes.push({ change: 'hoisted', at, id });
    else if (isLate) this.#changes.push({ change: 'reordered', at, id });
    if (!message.isTool()) this.#changes.push({ change: 'recast', at, id, from: message.role });
    const given = answeredId(message);
    if (given === '') this.#changes.push({ change: 'renamed', at, from: '', to: id });
    const bound = given === id ? message : withResultKeys(message, { call_id: id });
    this.#out.push(bound.withRole('tool'));
  }

  /** The calls of a turn with an id each that no other of the turn has, and with a name. */
  #distinct({ index: at, calls }: Turn): ToolCall[] {
    const ids = new FreeIds(calls.map(({ call }) => callId(call)));
    const used = new Set<string>();
    return calls.map(({ call }, place) => {
      const from = callId(call);
      const isOwn = from !== '' && !used.has(from);
      const to = isOwn ? from : from === '' ? ids.first(`tc_${this.#turnsDone}_${place}`) : ids.next(from);
      if (!isOwn) this.#changes.push({ change: 'renamed', at, from, to });
      used.add(to);
      const bound = isOwn ? call : call.withId(to);
      if (isNamed(call)) return bound;
      this.#changes.push({ change: 'named', at, id: to, to: REPAIRED_NAME });
      return bound.withName(REPAIRED_NAME);
    });
  }
}

/** A message with its calls renamed, and with them the marks of their places. */
function withCalls(message: Message, calls: readonly ToolCall[]): Message {
  if (calls.every((call, place) => call === message.toolCalls.at(place))) return message;
  const waiting = new Map<string, string[]>();
  // The first one last, so that taking it is cheap.
  for (let place = calls.length - 1; place >= 0; place--) {
    const id = (message.toolCalls.at(place) as ToolCall).idString();
    const ids = waiting.get(id) ?? [];
    ids.push((calls[place] as ToolCall).idString());
    waiting.set(id, ids);
  }
  const parts = message.contentParts().map((part) => {
    const marked: unknown = part.isMark() ? part.get('id') : undefined;
    const id = typeof marked === 'string' ? waiting.get(marked)?.pop() : undefined;
    return id === undefined ? part : part.withField('id', id);
  });
  return message.withContent(parts).withToolCalls(calls);
}
