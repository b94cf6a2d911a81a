import { unreadable } from '../../errors.ts';
import { now } from '../../internal/ids.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { inCallOrder } from '../call-order.ts';
import type { Decoded, DecodeOptions } from '../format.ts';
import { rejectWire } from '../failure.ts';
import { recorded } from '../recorded.ts';
import { readContent, readMessage, type Reading } from './decode-message.ts';
import { recordOf } from './origin.ts';
import { endOf } from './response.ts';

/**
 * The messages of a request's history (`{ system, messages }` or the list), or of a response (`{ output }`, with finish
 * reason and usage). Bytes may be base64, as on the wire, or a Uint8Array, as in the JavaScript client.
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what a strict server would
 * refuse, and with a code for each rule
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  const fields = isRecord(wire) ? wire : { messages: wire };
  const { output, system } = fields;
  const list = output === undefined ? fields['messages'] : [recordOf(output)['message']];
  if (!Array.isArray(list)) return rejectWire('messages', wire);
  let at = -1;
  const path = (): string => (output !== undefined ? 'output.message' : at < 0 ? 'system' : `messages[${at}]`);
  const end = output === undefined ? {} : endOf(fields);
  const reason = end.finish?.reason;
  const cut = reason === 'length' || reason === 'error' ? { reason } : undefined;
  const reading: Reading = { messages: [], losses: [], repairs: [], time: now(), path, cut };
  try {
    if (Array.isArray(system) ? system.length > 0 : system) readContent('system', system, '', reading);
    while (++at < list.length) readMessage(list[at], reading);
  } catch (cause) {
    throw unreadable(path(), cause);
  }
  const { messages: read, losses, repairs } = reading;
  const messages = Messages.owning(read);
  return {
    messages: strict ? inCallOrder(messages, repairs, (index) => `messages[${index}]`) : messages,
    report: { losses, repairs },
    ...end,
  };
}
