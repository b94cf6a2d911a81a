import type { Message } from './message.ts';

/** The atom of every history operation: a single message, or an assistant message with tool calls together with all its answers. */
export interface Exchange {
  /** Where its first message stands in the list. */
  readonly start: number;
  readonly messages: readonly [Message, ...Message[]];
}

/**
 * The exchanges of a list, one after another. What follows calls in the role of a tool answers them, or is at least of
 * no use without them. Lazy; O(n) for all of them.
 */
export function* exchangesOf(messages: Iterable<Message>): Generator<Exchange, void, undefined> {
  let start = 0;
  let current: [Message, ...Message[]] | undefined;
  for (const message of messages) {
    if (current !== undefined && message.isTool() && opensTurn(current[0])) {
      current.push(message);
      continue;
    }
    if (current !== undefined) {
      yield { start, messages: current };
      start += current.length;
    }
    current = [message];
  }
  if (current !== undefined) yield { start, messages: current };
}

/** Whether a message asks for tools, and so opens a tool turn. */
export function opensTurn(message: Message): boolean {
  return message.isAssistant() && message.hasToolCalls();
}
