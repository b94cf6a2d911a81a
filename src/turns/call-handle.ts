import { reject } from '../errors.ts';
import { isRecord } from '../schema/json.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { callId, unlessBlank } from './call-id.ts';
import { type LastTurn, waitingPlaces } from './open-turn.ts';
import type { CallHandle } from './tool-turns.ts';

/** A handle that is no bare id. */
export type NamedCall = Exclude<CallHandle, string>;

/**
 * A handle as an object.
 *
 * @throws InvalidInputError where it names no call
 */
export function readHandle(handle: CallHandle, path: string): NamedCall {
  if (typeof handle === 'string') return { id: handle };
  if (isRecord(handle) && typeof handle.id === 'string') return handle;
  return reject(path, 'a tool call: its id, or what pending() gave', handle);
}

/** Whether a handle names a turn: the id of its message decides; its number, which costs a walk, counts where that is missing. */
export function isTurnOf(named: NamedCall, messageId: string, number: () => number): boolean {
  if (named.messageId !== undefined) return named.messageId === messageId;
  return named.turn === undefined || named.turn === number();
}

/** Whether a call goes by this id, or did before it got one of its own since others had the same. */
export function goesBy(call: ToolCall, id: string): boolean {
  const known = unlessBlank(id);
  return known === '' || callId(call) === known || callId(call).startsWith(`${known}#`);
}

/** The calls of a turn that wait for their answers, each to be taken once. */
export class Waiting {
  /** Whether one was taken that its id alone does not name, since one before it has the same. */
  needsPlaces = false;
  readonly #turn: LastTurn;
  /** The places of the calls by their id, the first one last. */
  readonly #places: ReadonlyMap<string, number[]>;
  readonly #taken = new Set<number>();

  constructor(turn: LastTurn) {
    this.#turn = turn;
    this.#places = waitingPlaces(turn);
  }

  /** The place of a call; `answered` where it has its answer, undefined where there is none. */
  take({ id, place }: NamedCall): number | 'answered' | undefined {
    const found = place === undefined ? this.#first(unlessBlank(id)) : this.#at(place, id);
    if (typeof found === 'number') this.#taken.add(found);
    return found;
  }

  #at(place: number, id: string): number | 'answered' | undefined {
    const call = place in this.#turn.answers ? this.#turn.message.toolCalls.at(place) : undefined;
    if (call === undefined || !goesBy(call, id)) return undefined;
    if (this.#turn.answers[place] !== undefined || this.#taken.has(place)) return 'answered';
    this.needsPlaces ||= this.#first(callId(call)) !== place;
    return place;
  }

  #first(id: string): number | 'answered' | undefined {
    const places = this.#places.get(id);
    while (this.#taken.has(places?.at(-1) as number)) places?.pop();
    return places && (places.at(-1) ?? 'answered');
  }
}
