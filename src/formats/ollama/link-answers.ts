import { isRecord } from '../../schema/json.ts';
import { type Fields, roleIn, textAt } from './fields.ts';

/** A call of the wire, and the id that binds its answer to it here. */
export interface LinkedCall {
  readonly call: unknown;
  readonly name: string;
  /** The id that the wire gave it; `''` where it gave none. */
  readonly givenId: string;
  /** The same, or the one that its answer tells; `''` where there is none: one is made when the call is read. */
  id: string;
}

/** Which answer of a list belongs to which call, by the places of their messages. */
export interface Links {
  readonly calls: ReadonlyMap<number, readonly LinkedCall[]>;
  readonly answered: ReadonlyMap<number, LinkedCall>;
}

/** A tool message, and what it says of its call; `''` where it says nothing. */
interface Answer {
  readonly at: number;
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the call of each answer: by its id, else by the tool's name, else by order, among the calls of the last message
 * before it that has any. What holds neither is undefined in the list. An id that no call of the turn has means another
 * call, unless ids were left out of the calls. Linear.
 */
export function linkAnswers(items: readonly (Fields | undefined)[]): Links {
  const calls = new Map<number, LinkedCall[]>();
  const answered = new Map<number, LinkedCall>();
  let turn: LinkedCall[] = [];
  let answers: Answer[] = [];
  items.forEach((item, at) => {
    if (item === undefined) return;
    if (roleIn(item) === 'tool') answers.push(answerOf(item, at));
    if (!Array.isArray(item['tool_calls'])) return;
    const linked = item['tool_calls'].map(linkedCall);
    calls.set(at, linked);
    if (linked.length === 0) return;
    bind(turn, answers, answered);
    turn = linked;
    answers = [];
  });
  bind(turn, answers, answered);
  return { calls, answered };
}

/** A call that no answer is bound to yet. */
export function linkedCall(call: unknown): LinkedCall {
  const id = textAt(call, 'id');
  return { call, name: nameOf(call), givenId: id, id };
}

function answerOf(item: Fields, at: number): Answer {
  return { at, id: textAt(item, 'tool_call_id'), name: toolNameOf(item) };
}

/** The name of the tool that answers: `tool_name`, or `name`, as it was written once. */
export function toolNameOf(item: Fields): string {
  return textAt(item, 'tool_name') || textAt(item, 'name');
}

/** The name of the tool that is called; `''` where there is none. */
function nameOf(call: unknown): string {
  return isRecord(call) ? textAt(call['function'], 'name') || textAt(call, 'name') : '';
}

/** What a call is found by, one way after another: its id, the name of its tool, the order. */
const KEYS = [({ id }: Named) => id, ({ name }: Named) => name, () => 'any'] as const;

type Named = Pick<Answer, 'id' | 'name'>;

/** What most turns are, one call and its answer, is bound without a search, unless their ids keep them apart. */
function bindPair(
  calls: readonly LinkedCall[],
  answers: readonly Answer[],
  answered: Map<number, LinkedCall>,
): boolean {
  const [call] = calls;
  const [answer] = answers;
  if (!call || !answer || calls.length + answers.length > 2) return false;
  const { at, id } = answer;
  if (call.givenId === '' || id === '' || call.givenId === id) {
    call.id ||= id;
    answered.set(at, call);
  }
  return true;
}

/** Binds the answers of one turn, each to the first open call with the same key. */
function bind(calls: readonly LinkedCall[], answers: readonly Answer[], answered: Map<number, LinkedCall>): void {
  if (bindPair(calls, answers, answered)) return;
  const hasIds = calls.some(({ givenId }) => givenId !== '');
  const bound = new Set<LinkedCall>();
  let waiting = answers;
  for (const keyOf of KEYS) {
    if (waiting.length === 0) return;
    const open = new Map<string, LinkedCall[]>();
    for (const call of calls.toReversed()) {
      const same = open.get(keyOf(call)) ?? [];
      if (!bound.has(call)) same.push(call);
      open.set(keyOf(call), same);
    }
    waiting = waiting.filter((answer) => {
      const key = keyOf(answer);
      const call = key === '' ? undefined : open.get(key)?.pop();
      if (call === undefined) return !hasIds || answer.id === '';
      call.id ||= answer.id;
      bound.add(call);
      answered.set(answer.at, call);
      return false;
    });
  }
}
