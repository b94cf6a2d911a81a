import { callId, unlessBlank } from './call-id.ts';
import { goesBy, isTurnOf, readHandle } from './call-handle.ts';
import { type CallOptions, outcome, type Ran, textAnswer } from './run-call.ts';
import type { PlacedCall } from './running-turn.ts';
import type { CallHandle, PendingCall } from './tool-turns.ts';

/** What a person decided about a call. */
export interface Decision {
  /**
   * What {@link ToolTurns.pending} gave, or an id, which means the first call that waits with it. A decision about a
   * call that does not wait at the start has no effect; where none waits at all, the loop refuses it.
   */
  readonly call: CallHandle;
  readonly approved: boolean;
  /** What the model gets to read where it was not approved. */
  readonly content?: string | undefined;
}

/** What was decided about the calls of a turn, by their place. A call that is denied once is denied. */
export interface Verdicts {
  readonly approved: ReadonlySet<number>;
  readonly denied: ReadonlyMap<number, Decision>;
}

/** What decisions mean for the calls that wait. */
export function verdictsOf(decisions: readonly Decision[], waiting: readonly PendingCall[]): Verdicts {
  const approved = new Set<number>();
  const denied = new Map<number, Decision>();
  decisions.forEach((decision, at) => {
    const place = placeOf(decision.call, waiting, `decisions[${at}].call`);
    if (place === undefined) return;
    if (decision.approved) approved.add(place);
    else denied.set(place, decision);
  });
  return { approved, denied };
}

function placeOf(handle: CallHandle, waiting: readonly PendingCall[], path: string): number | undefined {
  const named = readHandle(handle, path);
  const { id, place } = named;
  const isMeant = (one: PendingCall): boolean =>
    place === undefined ? callId(one.call) === unlessBlank(id) : one.place === place && goesBy(one.call, id);
  return waiting.find((one) => isMeant(one) && isTurnOf(named, one.messageId, () => one.turn))?.place;
}

/** The answer to a call that a person refused. */
export function denialOf({ call }: PlacedCall, { content }: Decision, options: CallOptions): Ran {
  const text = content ?? `Error: tool ${JSON.stringify(call.name)} was denied by the operator.`;
  return outcome(call, textAnswer(text, 'denied'), options, 0);
}
