import { Message } from './message.ts';

/** How neighbours are merged. */
export interface MergeOptions {
  /** Whether a change of name also keeps neighbours apart. Default: no, the first one's name stays. */
  readonly splitOnName?: boolean;
}

/** The messages with runs of one role folded into one message each. */
export function mergeRuns(messages: readonly Message[], options: MergeOptions): Message[] {
  const merged: Message[] = [];
  for (let start = 0; start < messages.length;) {
    const end = endOfRun(messages, start, options);
    merged.push(end === start + 1 ? (messages[start] as Message) : Message.folded(messages.slice(start, end)));
    start = end;
  }
  return merged;
}

/** Where the run that begins at `start` ends (exclusive). */
function endOfRun(messages: readonly Message[], start: number, { splitOnName = false }: MergeOptions): number {
  const first = messages[start] as Message;
  let end = start + 1;
  if (isBound(first)) return end;
  for (; end < messages.length; end++) {
    const next = messages[end] as Message;
    if (next.role !== first.role || (splitOnName && next.name !== first.name) || isBound(next)) break;
  }
  return end;
}

/** Whether a message must stay as it is: it answers one call, or holds reasoning that its provider signed. */
function isBound(message: Message): boolean {
  return message.toolResult !== undefined || hasSignedReasoning(message);
}

/** Reasoning that its provider signed must go back exactly as it came, in the message in which it came. */
function hasSignedReasoning(message: Message): boolean {
  if (message.content.plainText !== undefined) return false;
  for (const part of message.content.parts)
    if (part.type === 'reasoning' && part.origin?.data !== undefined) return true;
  return false;
}
