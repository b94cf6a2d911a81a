import { reject } from '../../errors.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { repair } from '../../turns/repair.ts';
import type { Decoded, DecodeOptions, Repair } from '../format.ts';
import { rejectWire } from '../failure.ts';
import { asRepair } from '../prepare.ts';
import { recorded } from '../recorded.ts';
import { ContentDecoder } from './decode-content.ts';
import { decodeResponse } from './decode-response.ts';
import { encode } from './encode.ts';

/**
 * The messages of a request's history (`{ systemInstruction?, contents }`, or the list of contents), or of a response
 * (`{ candidates }`: the first candidate, with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what Gemini would refuse, and
 * with a code for each rule
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  const fields = isRecord(wire) ? wire : {};
  if ('candidates' in fields || 'promptFeedback' in fields) return decodeResponse(fields);
  const list = isRecord(wire) ? wire['contents'] : wire;
  if (!Array.isArray(list)) return rejectWire('contents', wire);
  const decoder = new ContentDecoder(true);
  for (let at = 0; at < list.length; at++) decoder.read(list[at], at);
  const { systemInstruction = fields['system_instruction'] } = fields;
  if (systemInstruction !== undefined) decoder.readInstructions(systemInstruction);
  const { repairs } = decoder;
  const messages = Messages.owning(decoder.messages);
  return { messages: strict ? strictly(messages, list, repairs) : messages, report: { losses: [], repairs } };
}

/**
 * Messages whose calls and answers belong together, the answers in the order of their calls. Gemini takes contents
 * that go out again as many, and as full, as they came.
 *
 * @throws InvalidInputError with the code of the first violation
 */
function strictly(messages: Messages, contents: readonly { parts: unknown[] }[], repairs: Repair[]): Messages {
  const { payload } = encode(messages, { invalid: 'throw', openTurn: 'cancel' });
  contents.forEach((content, at) => {
    if (content.parts.length !== payload.contents[at]?.parts.length)
      reject(`contents[${at}]`, 'contents as they go out', content);
  });
  const repaired = repair(messages);
  repairs.push(...repaired.changes.map(asRepair));
  return repaired.messages;
}
