import { reject } from '../../errors.ts';
import { isBytes, toBase64 } from '../../input/bytes.ts';
import { now } from '../../internal/ids.ts';
import type { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord, type JsonValue, setOwn } from '../../schema/json.ts';
import { inCallOrder } from '../call-order.ts';
import type { Decoded, DecodeOptions, Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { readFrequent } from './decode-frequent.ts';
import { readInstructions, readMessage, type ReadReport } from './decode-message.ts';
import { cutOf, endOf } from './response.ts';
import { checkStrictly } from './strict.ts';

/**
 * The messages of a request's history (`{ system, messages }` or the list), or of a response (`{ output }`, with finish
 * reason and usage). Bytes may be base64, as on the wire, or a Uint8Array, as in the JavaScript client.
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what a strict server would
 * refuse, and with a code for each rule
 */
export function decode(wire: unknown, { strict = false }: DecodeOptions = {}): Decoded {
  const fields = isRecord(wire) ? wire : { messages: wire };
  if ('output' in fields) return decodeResponse(fields, strict);
  const { system, messages: list } = fields;
  if (!Array.isArray(list)) return reject('messages', 'messages, or a response with output', wire);
  if (strict) checkStrictly(list);
  const report: ReadReport = { losses: [], repairs: [] };
  const time = now();
  const messages = readInstructions(ready(system, report.repairs, 'system'), report);
  const places: string[] = messages.map(() => 'system');
  for (let at = 0; at < list.length; at++) {
    if (!readFrequent(list[at], time, messages)) {
      const path = `messages[${at}]`;
      messages.push(...readMessage(ready(list[at], report.repairs, path), path, { report }));
    }
    if (strict) while (places.length < messages.length) places.push(`messages[${at}]`);
  }
  return { messages: ordered(messages, strict, report.repairs, (at) => places[at] as string), report };
}

function decodeResponse(wire: Record<string, unknown>, strict: boolean): Decoded {
  const path = 'output.message';
  const report: ReadReport = { losses: [], repairs: [] };
  const message = isRecord(wire['output']) ? wire['output']['message'] : undefined;
  const cut = cutOf(wire['stopReason']);
  const messages = readMessage(ready(message, report.repairs, path), path, { report, cut });
  const end = wellFormed({ stopReason: wire['stopReason'] }, report.repairs, '') as Record<string, unknown>;
  return {
    messages: ordered(messages, strict, report.repairs, () => path),
    report,
    ...endOf({ ...end, usage: wire['usage'] }),
  };
}

/** The messages; where they are read strictly, their answers in the order of their calls. */
function ordered(
  messages: readonly Message[],
  strict: boolean,
  repairs: Repair[],
  pathOf: (at: number) => string,
): Messages {
  const read = Messages.owning(messages);
  return strict ? inCallOrder(read, repairs, pathOf) : read;
}

/** A value of the wire with base64 for bytes, and without halves of characters. */
function ready(value: unknown, repairs: Repair[], path: string): unknown {
  return wellFormed(withBase64(value, 0), repairs, path);
}

/** A copy with base64 for bytes; the same value where there are none. */
function withBase64(value: unknown, depth: number): unknown {
  if (isBytes(value)) return toBase64(value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const list = value.map((item) => withBase64(item, depth + 1));
    return list.every((item, at) => item === value[at]) ? value : list;
  }
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  let isSame = true;
  for (const [key, item] of Object.entries(value)) {
    const next = withBase64(item, depth + 1);
    isSame &&= next === item;
    setOwn(copy as Record<string, JsonValue>, key, next as JsonValue);
  }
  return isSame ? value : copy;
}

/** As deep as bytes stand in messages. */
const DEEPEST = 12;
