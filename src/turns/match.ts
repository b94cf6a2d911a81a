import { opensTurn } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { answeredId, callId } from './call-id.ts';

/** One call of a turn, and the message that answers it. */
export interface MatchedCall {
  readonly call: ToolCall;
  /** The place of the answer; undefined where there is none. */
  answer?: number;
}

/** An assistant message with calls. */
export interface Turn {
  readonly index: number;
  readonly calls: readonly MatchedCall[];
}

/** Why a tool message answers nothing. */
export type Stray = 'orphan' | 'duplicate';

/** Which message answers which call. */
export interface Matches {
  /** In order. */
  readonly turns: readonly Turn[];
  /** The turn of each answer, at its place. All are tool messages, but for those in which the role alone is wrong. */
  readonly owners: readonly (Turn | undefined)[];
  /** Tool messages that answer nothing, by their place. */
  readonly strays: ReadonlyMap<number, Stray>;
  /** Answers with another message between them and their call, or before their call. */
  readonly displaced: ReadonlySet<number>;
  /** The turn that nothing but answers follows, if the history ends in one. */
  readonly last: Turn | undefined;
}

/** A message that may answer a call. */
interface Candidate {
  readonly at: number;
  readonly message: Message;
  /** Of the call that it names; `''` where it names none. */
  readonly id: string;
  /** The turn that it stands right behind. */
  readonly turn: Turn | undefined;
}

interface Unanswered {
  readonly turn: Turn;
  readonly matched: MatchedCall;
}

/** What there is of one id so far. */
interface SameId {
  /** The unanswered calls: the latest turn last, within a turn the first call last. */
  readonly open: Unanswered[];
  /** The latest answer. */
  answer?: Message | undefined;
}

/**
 * Matches answers to calls in ordered walks: an answer belongs to the latest unanswered call with its id, since ids may
 * repeat from turn to turn. What answers no call before it may answer one behind it. The best answers come first:
 * see {@link rankOf}. Linear.
 */
export function matchAnswers(messages: Iterable<Message>): Matches {
  const list = [...messages];
  const { turns, ranked, last } = survey(list);
  const strays = new Map<number, Stray>();
  for (const candidates of ranked) {
    if (candidates.length > 0) new Round(list, turns, last, strays).run(candidates);
  }
  return { turns, strays, ...placesOf(list, turns) };
}

/** Real answers before made-up ones, those that name their call before those that do not. Undefined for what is none. */
function rankOf(message: Message, id: string): number | undefined {
  const isTool = message.isTool();
  if (!isTool && id === '') return undefined;
  if (message.toolResult?.synthetic === true) return 3;
  if (!isTool) return 1;
  return id === '' ? 2 : 0;
}

/** The turns, and what may answer their calls, both in order; answers that follow as they should are matched already. */
function survey(list: readonly Message[]): {
  readonly turns: Turn[];
  readonly ranked: readonly Candidate[][];
  readonly last: Turn | undefined;
} {
  const turns: Turn[] = [];
  const ranked: Candidate[][] = [[], [], [], []];
  let turn: Turn | undefined;
  let answered = 0;
  list.forEach((message, at) => {
    if (opensTurn(message)) {
      turn = { index: at, calls: message.toolCalls.map((call): MatchedCall => ({ call })) };
      turns.push(turn);
      answered = 0;
      return;
    }
    const id = answeredId(message);
    const rank = rankOf(message, id);
    const due = rank === 0 ? turn?.calls[answered] : undefined;
    if (rank === undefined) turn = undefined;
    else if (due !== undefined && callId(due.call) === id) {
      due.answer = at;
      answered++;
    } else {
      ranked[rank]?.push({ at, message, id, turn });
      // What follows it in the turn has to wait for it.
      if (rank === 0) answered = Number.POSITIVE_INFINITY;
    }
  });
  return { turns, ranked, last: turn };
}

/** Which answers stand where they belong. */
function placesOf(list: readonly Message[], turns: readonly Turn[]): Pick<Matches, 'owners' | 'displaced' | 'last'> {
  const owners = list.map((): Turn | undefined => undefined);
  for (const turn of turns) for (const { answer } of turn.calls) if (answer !== undefined) owners[answer] = turn;
  const displaced = new Set<number>();
  let last: Turn | undefined;
  let next = 0;
  list.forEach((message, at) => {
    const owner = owners[at];
    if (turns[next]?.index === at) last = turns[next++];
    else if (owner !== undefined) {
      if (owner !== last) displaced.add(at);
    } else if (!message.isTool()) last = undefined;
  });
  return { owners, displaced, last };
}

/** One walk over the calls that are left, and the answers of one rank. */
class Round {
  readonly #list: readonly Message[];
  readonly #turns: readonly Turn[];
  readonly #last: Turn | undefined;
  readonly #strays: Map<number, Stray>;
  readonly #ids = new Map<string, SameId>();
  /** The unanswered calls of any id, and answered ones among them, as in {@link SameId}. */
  readonly #waiting: Unanswered[] = [];
  #waitingCount = 0;
  /** Tool messages that came when no call with their id waited. */
  readonly #early = new Map<string, number[]>();
  /** The next turn of the walk. */
  #next = 0;

  constructor(list: readonly Message[], turns: readonly Turn[], last: Turn | undefined, strays: Map<number, Stray>) {
    this.#list = list;
    this.#turns = turns;
    this.#last = last;
    this.#strays = strays;
  }

  run(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      this.#walkTo(candidate.at);
      const found = this.#take(candidate.id) ?? (candidate.id === '' ? this.#meant(candidate.turn) : undefined);
      if (found !== undefined) this.#bind(found, candidate);
      else if (candidate.message.isTool()) this.#stray(candidate);
    }
    if (this.#early.size > 0) this.#takeEarly();
  }

  #walkTo(place: number): void {
    for (let turn = this.#turns[this.#next]; turn !== undefined && turn.index < place; turn = this.#turns[++this.#next])
      for (let at = turn.calls.length - 1; at >= 0; at--) this.#see({ turn, matched: turn.calls[at] as MatchedCall });
  }

  #see(call: Unanswered): void {
    const { call: own, answer } = call.matched;
    const same = this.#ofId(callId(own));
    if (answer !== undefined) {
      same.answer = this.#list[answer];
      return;
    }
    same.open.push(call);
    this.#waiting.push(call);
    this.#waitingCount++;
  }

  #ofId(id: string): SameId {
    let same = this.#ids.get(id);
    if (same === undefined) this.#ids.set(id, (same = { open: [] }));
    return same;
  }

  /** The latest unanswered call with this id. */
  #take(id: string): Unanswered | undefined {
    return lastUnanswered(this.#ids.get(id)?.open);
  }

  /** What an answer without an id can only mean: the first call that waits right before it, or the only one at all. */
  #meant(turn: Turn | undefined): Unanswered | undefined {
    const first = lastUnanswered(this.#waiting);
    return first?.turn === turn || this.#waitingCount === 1 ? first : undefined;
  }

  #bind({ matched }: Unanswered, { at, id, message }: Candidate): void {
    matched.answer = at;
    this.#waitingCount--;
    const same = this.#ids.get(id);
    if (same !== undefined) same.answer = message;
  }

  /** Keeps what may answer a later call, unless it says once more what the last answer said. */
  #stray({ at, id, message }: Candidate): void {
    const same = this.#ids.get(id);
    this.#strays.set(at, same === undefined ? 'orphan' : 'duplicate');
    const isRepeated = same?.answer !== undefined && message.content.equals(same.answer.content);
    if (same !== undefined) same.answer = message;
    if (isRepeated) return;
    const early = this.#early.get(id);
    if (early === undefined) this.#early.set(id, [at]);
    else early.push(at);
  }

  /** Gives what is kept to the calls that are left, both in order. */
  #takeEarly(): void {
    for (const places of this.#early.values()) places.reverse();
    for (const turn of this.#turns) {
      for (const matched of turn.calls) {
        const places = matched.answer === undefined ? this.#early.get(callId(matched.call)) : undefined;
        const place = places?.at(-1);
        if (place === undefined || !this.#mayTake(turn, place)) continue;
        places?.pop();
        matched.answer = place;
        this.#strays.delete(place);
      }
    }
  }

  /** The tools of the last turn may still run: what answered an earlier call is not taken for their answer. */
  #mayTake(turn: Turn, place: number): boolean {
    return turn !== this.#last || this.#strays.get(place) === 'orphan';
  }
}

/** The last of these calls that has no answer; what is behind it is removed. */
function lastUnanswered(calls: Unanswered[] | undefined): Unanswered | undefined {
  while (calls?.at(-1)?.matched.answer !== undefined) calls.pop();
  return calls?.at(-1);
}
