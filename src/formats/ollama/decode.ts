import { reject } from '../../errors.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord, isSound } from '../../schema/json.ts';
import type { Decoded, DecodeOptions, FinishReason, Loss, Repair, Usage } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { rejectWire } from '../failure.ts';
import { recorded } from '../recorded.ts';
import { wellFormed } from '../well-formed.ts';
import { isPlain, MessageDecoder, type PlainMessage } from './decode-message.ts';
import type { Fields } from './fields.ts';
import { linkAnswers } from './link-answers.ts';
import { checkStrictly } from './strict.ts';

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
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  const given = isRecord(wire) ? (wire['messages'] ?? wire) : wire;
  const isResponse = isRecord(given) && isRecord(given['message']);
  return recorded(isResponse ? decodeResponse(given, options) : decodeList(given, options), options);
}

/** Reads a list, whose messages stand at these paths; `salt` keeps the ids of its calls apart from those of other lists. */
function decodeList(list: unknown, { strict = false }: DecodeOptions, pathOf = pathOfMessage, salt = ''): Read {
  if (!Array.isArray(list)) return rejectWire('messages', list);
  if (strict) list.forEach((item, at) => checkStrictly(item, pathOf(at)));
  const repairs: Repair[] = [];
  const losses: Loss[] = [];
  const items = list.map((item: unknown, at) => (isPlain(item) ? undefined : checked(item, at, pathOf, repairs)));
  const decoder = new MessageDecoder(linkAnswers(items), salt, losses);
  const read = items.map((item, at) =>
    item === undefined ? decoder.decodePlain(list[at] as PlainMessage) : decoder.decode(item, at, pathOf),
  );
  const messages = Messages.owning(read);
  return { messages: strict ? inCallOrder(messages, repairs, pathOf) : messages, report: { losses, repairs } };
}

/** Paths are put together when something is told. */
function checked(wire: unknown, at: number, pathOf: typeof pathOfMessage, repairs: Repair[]): Fields {
  const item = isSound(wire) ? wire : wellFormed(wire, repairs, pathOf(at));
  return isRecord(item) ? item : reject(pathOf(at), 'a message with a role', item);
}

/** The time of a response keeps the ids that its calls get apart from those of other responses. */
function decodeResponse(wire: Fields, options: DecodeOptions): Decoded {
  const read = decodeList([wire['message']], options, () => 'message', String(wire['created_at']));
  const raw = wellFormed(wire['done_reason'], read.report.repairs, 'done_reason');
  const usage = decodeUsage(wire);
  const message = read.messages.last() as Message;
  const finish = typeof raw === 'string' && { reason: decodeReason(raw, message), raw };
  const messages = raw === 'length' && message.hasToolCalls() ? Messages.of(withCallsCut(message)) : read.messages;
  return { ...read, messages, ...(finish && { finish }), ...(usage && { usage }) };
}

/** A message whose calls must not be run, since the limit of tokens may have cut them. */
function withCallsCut({ timestamp: createdAt, ...said }: Message): Message {
  return Message.of({ ...said, createdAt, incomplete: { reason: 'length' } });
}

/** `stop`, `length`, `load` or `unload`: a turn with calls ends with `stop`, too (ollama/ollama, docs/api.md). */
function decodeReason(raw: string, message: Message): FinishReason {
  if (raw === 'stop') return message.hasToolCalls() ? 'tool_calls' : raw;
  return raw === 'length' ? raw : 'other';
}

/** The server leaves `prompt_eval_count` out where the whole prompt was in its cache. */
export function decodeUsage({ prompt_eval_count: input, eval_count: output }: Fields): Usage | undefined {
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  return { inputTokens: countOf(input), outputTokens: countOf(output) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
