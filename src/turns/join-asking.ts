import { opensTurn } from '../model/exchange.ts';
import { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { answeredId, callId } from './call-id.ts';

/** Messages, and where each of them stood. */
export interface Joined {
  readonly messages: Messages;
  readonly places: readonly number[];
}

/**
 * With assistant messages that ask one after another, and are answered together behind the last of them, as one: so some
 * clients keep the calls of one turn. Linear.
 */
export function joinAsking(messages: Messages): Joined {
  const list = [...messages];
  const joined: Message[] = [];
  const places: number[] = [];
  for (let at = 0; at < list.length;) {
    const end = endOfAsking(list, at);
    const run = end - at > 1 && areAnsweredTogether(list, at, end) ? list.slice(at, end) : [list[at] as Message];
    joined.push(run.length > 1 ? Message.folded(run) : (run[0] as Message));
    places.push(at);
    at += run.length;
  }
  return { messages: Messages.owning(joined), places };
}

/** Where a run of assistant messages that ask ends. One that carries an answer, which belongs to another call, is none. */
function endOfAsking(list: readonly Message[], start: number): number {
  let end = start;
  while (end < list.length && isAsking(list[end] as Message)) end++;
  return end;
}

function isAsking(message: Message): boolean {
  return opensTurn(message) && !message.hasToolResult();
}

/** Whether an answer behind a run is to a call before its last message. Calls of one id cannot be told apart then. */
function areAnsweredTogether(list: readonly Message[], start: number, end: number): boolean {
  const asked = list.slice(start, end).map(({ toolCalls }) => toolCalls.map(callId));
  const ids = asked.flat();
  if (ids.includes('') || new Set(ids).size < ids.length) return false;
  const earlier = new Set(asked.slice(0, -1).flat());
  for (let at = end; list[at]?.isTool(); at++) if (earlier.has(answeredId(list[at] as Message))) return true;
  return false;
}
