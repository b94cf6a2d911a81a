import { reject } from '../../errors.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import type { Decoded, DecodeOptions } from '../format.ts';
import { recorded } from '../recorded.ts';
import { wellFormed } from '../well-formed.ts';
import { type Reading, readMessage, type ReadReport } from './decode-message.ts';
import { endOf } from './response.ts';
import { strictly } from './strict.ts';

/**
 * The messages of a request's history (`{ system, messages }` or the list), or of a response (`{ type: 'message' }`,
 * with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what a strict server would
 * refuse, and with a code for each rule
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  const report: ReadReport = { losses: [], repairs: [] };
  const given = isRecord(wire) ? wire : { messages: wire };
  const fields = wellFormed(given, report.repairs, '') as Record<string, unknown>;
  const { type, model, role, content, messages: list } = fields;
  if (type === 'message') {
    const reading = { report, model: typeof model === 'string' ? model : undefined };
    const messages = Messages.owning(readMessage({ role, content }, 'message', reading));
    return { messages, report, ...endOf(fields) };
  }
  if (!Array.isArray(list)) return reject('messages', 'messages', wire);
  const top = readMessage({ role: 'system', content: fields['system'] ?? [] }, 'system', { report }, true);
  const messages = top.filter((message) => !message.content.isEmpty());
  const reading: Reading = { report };
  list.forEach((item, at) => {
    messages.push(...readMessage(item, `messages[${at}]`, reading));
  });
  const read = Messages.owning(messages);
  return { messages: strict ? strictly(read, report.repairs) : read, report };
}
