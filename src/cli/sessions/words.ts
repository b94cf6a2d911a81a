import type { Message } from '../../model/message.ts';
import { MESSAGE, messageOf } from '../../storage/message-node.ts';
import type { StoredNode } from '../../storage/storage.ts';
import { printable } from '../failure.ts';

const MAX_WORDS = 60;

/** A node on one line: the role and the first words. */
export function wordsOf(node: StoredNode): string {
  if (node.type !== MESSAGE) return `(${shortened(node.type)}) ${shortened(JSON.stringify(node.data))}`;
  const message = readable(node);
  if (message === undefined) return '(a message that cannot be read)';
  const calls = callsOf(message, () => '…');
  return [`${message.role}:`, shortened(message.toString()), ...(calls === '' ? [] : [`→ ${shortened(calls)}`])]
    .filter((word) => word !== '')
    .join(' ');
}

/** The message of a node; undefined for other nodes, and for what cannot be read. */
export function readable(node: StoredNode): Message | undefined {
  return node.type === MESSAGE ? messageOf(node, () => undefined) : undefined;
}

/** The tool calls of a message. */
export function callsOf({ toolCalls }: Message, args: (json: string) => string): string {
  return Array.from(toolCalls, (call) => `${call.name}(${args(call.argsAsJson())})`).join(', ');
}

/** The beginning of a text on one line. */
export function shortened(text: string, most = MAX_WORDS): string {
  const line = printable(text.slice(0, 4 * most).toWellFormed());
  return line.length > most || text.length > 4 * most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
