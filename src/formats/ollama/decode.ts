import { reject } from '../../errors.ts';
import { now } from '../../internal/ids.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import type { Decoded, DecodeOptions, Finish, FinishReason, Loss, Repair, Usage } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { recorded } from '../recorded.ts';
import { wellFormed } from '../well-formed.ts';
import { MessageDecoder } from './decode-message.ts';
import { linkAnswers } from './link-answers.ts';
import { checkStrictly } from './strict.ts';

type Fields = Record<string, unknown>;

const pathOfMessage = (at: number): string => `messages[${at}]`;

/** What was read, with the report still open. */
interface Read {
  readonly messages: Messages;
  readonly report: { readonly losses: Loss[]; readonly repairs: Repair[] };
}

/**
 * The messages of a request's history (`{ messages }` or the list), or of a response (`{ message, done_reason, … }`,
 * with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what the server or the model's
 * template would refuse, and with a code for each rule
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  const list = isRecord(wire) ? wire['messages'] : wire;
  if (isRecord(wire) && list === undefined && isRecord(wire['message'])) return decodeResponse(wire);
  if (!Array.isArray(list))
    return reject('messages', 'a list of messages, or an object with messages or a message', wire);
  if (strict) list.forEach((item, at) => checkStrictly(item, pathOfMessage(at)));
  const read = decodeList(list, pathOfMessage, '');
  return strict ? { ...read, messages: inCallOrder(read.messages, read.report.repairs, pathOfMessage) } : read;
}

function decodeList(list: readonly unknown[], pathOf: (at: number) => string, salt: string): Read {
  const losses: Loss[] = [];
  const repairs: Repair[] = [];
  const items = list.map((wire, at): Fields => {
    const item = wellFormed(wire, repairs, pathOf(at));
    return isRecord(item) ? item : reject(pathOf(at), 'a message with a role', item);
  });
  const decoder = new MessageDecoder(linkAnswers(items, salt), losses, now());
  const messages = Messages.owning(items.map((item, at) => decoder.decode(item, at, pathOf(at))));
  return { messages, report: { losses, repairs } };
}

/** The time of a response keeps the ids that its calls get apart from those of other responses. */
function decodeResponse(wire: Fields): Decoded {
  const read = decodeList([wire['message']], () => 'message', String(wire['created_at']));
  const raw = wellFormed(wire['done_reason'], read.report.repairs, 'done_reason');
  const usage = decodeUsage(wire);
  return {
    ...read,
    ...(typeof raw === 'string' && { finish: decodeFinish(raw, read.messages.first()?.hasToolCalls() === true) }),
    ...(usage && { usage }),
  };
}

/** `stop`, `length`, `load` or `unload`: a turn with calls ends with `stop`, too (ollama/ollama, docs/api.md). */
function decodeFinish(raw: string, hasCalls: boolean): Finish {
  const known: FinishReason = raw === 'stop' || raw === 'length' ? raw : 'other';
  return { reason: known === 'stop' && hasCalls ? 'tool_calls' : known, raw };
}

/** The server leaves `prompt_eval_count` out where the whole prompt was in its cache. */
function decodeUsage({ prompt_eval_count: input, eval_count: output }: Fields): Usage | undefined {
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  return { inputTokens: countOf(input), outputTokens: countOf(output) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
