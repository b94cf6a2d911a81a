import { now } from '../../internal/ids.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { inCallOrder } from '../call-order.ts';
import type { Decoded, DecodeOptions } from '../format.ts';
import { rejectWire } from '../failure.ts';
import { recorded } from '../recorded.ts';
import { wellFormed } from '../well-formed.ts';
import { type Reading, readMessage } from './decode-message.ts';
import { endOf } from './response.ts';

type Fields = Record<string, unknown>;

const pathOfMessage = (at: number): string => `messages[${at}]`;

/**
 * The messages of a request's history (`{ system, messages }` or the list), or of a response (`{ type: 'message' }`,
 * with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what a strict server would
 * refuse, and with a code for each rule
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  const reading: Reading = { losses: [], repairs: [], time: now() };
  const isResponse = isRecord(wire) && wire['type'] === 'message';
  const decoded = isResponse
    ? decodeResponse(wellFormed(wire, reading.repairs, '') as Fields, reading)
    : decodeHistory(wire, reading);
  const { messages } = decoded;
  const { losses, repairs } = reading;
  const read = options.strict ? inCallOrder(messages, repairs, pathOfMessage) : messages;
  return recorded({ ...decoded, messages: read, report: { losses, repairs } }, options);
}

function decodeHistory(wire: unknown, reading: Reading): Pick<Decoded, 'messages'> {
  const { system = [], messages: list } = isRecord(wire) ? wire : { messages: wire };
  if (!Array.isArray(list)) return rejectWire('messages', wire);
  const top = readMessage({ role: 'system', content: system }, 'system', reading, true);
  const messages = top.filter(({ content }) => !content.isEmpty());
  list.forEach((item, at) => {
    for (const message of readMessage(item, pathOfMessage(at), reading)) messages.push(message);
  });
  return { messages: Messages.owning(messages) };
}

function decodeResponse(wire: Fields, reading: Reading): Omit<Decoded, 'report'> {
  const { model, role, content } = wire;
  const end = endOf(wire);
  const made: Reading = {
    ...reading,
    model: typeof model === 'string' ? model : undefined,
    isCut: end.finish?.reason === 'length',
  };
  return { messages: Messages.owning(readMessage({ role, content }, 'message', made)), ...end };
}
