import { exchangesOf } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import { equalJson, type JsonValue } from '../schema/json.ts';
import { unlessSame } from './unless-same.ts';

/** How a message says that it is a trace. */
export interface OnlyRunOptions {
  /** The key of the metadata that is truthy on a trace. Default: `is_trace`. */
  readonly trace?: string | undefined;
}

/**
 * The conversation with the traces of one run, and of no other: a message that its metadata call a trace stays only where
 * they have all entries of `run`. Calls and their answers stay or go together: the message with the calls decides. The
 * very same list where all stays. Linear.
 *
 * @example
 * const trace = (content: string, run: string) => ({ role: 'assistant', content, metadata: { is_trace: true, run } });
 * onlyRun(['Hi', trace('old', 'r1'), trace('new', 'r2')], { run: 'r2' }).map(String) // => ['Hi', 'new']
 */
export function onlyRun(
  messages: MessagesInput,
  run: Readonly<Record<string, JsonValue>>,
  { trace = 'is_trace' }: OnlyRunOptions = {},
): Messages {
  const all = Messages.from(messages);
  const entries = Object.entries(run);
  const stays = ({ metadata }: Message): boolean =>
    !metadata.get(trace) ||
    entries.every(([key, value]) => metadata.hasKey(key) && equalJson(metadata.get(key), value));
  const kept: Message[] = [];
  for (const { messages: exchange } of exchangesOf(all))
    if (stays(exchange[0])) for (const message of exchange) kept.push(message);
  return unlessSame(all, kept);
}
