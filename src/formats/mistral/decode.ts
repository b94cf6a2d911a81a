import { now } from '../../internal/ids.ts';
import type { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { copyJsonObject, isRecord } from '../../schema/json.ts';
import { recorded } from '../recorded.ts';
import type { Decoded, DecodeOptions, Loss, Repair } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { rejectWire } from '../failure.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeFrequent } from './decode-frequent.ts';
import { decodeMessage, isApart, type Reading } from './decode-message.ts';
import type { Fields } from './origin.ts';
import { endOf } from './response.ts';
import { fromSdk } from './sdk.ts';
import { checkStrictly } from './strict.ts';

/**
 * The messages of a request's history (`{ messages }` or the list), or of a response (`{ choices }`: the first choice,
 * with finish reason and usage). The spelling of the JavaScript package is read as well.
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what the server would refuse,
 * and with a code for each rule
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  const { choices, messages = isRecord(wire) ? undefined : wire }: Fields = isRecord(wire) ? wire : {};
  if (Array.isArray(choices)) return decodeResponse(wire as Fields, choices, strict);
  if (!Array.isArray(messages)) return rejectWire('messages', wire);
  const report = { losses: [], repairs: [] };
  return { messages: settled(decodeList(messages, report), strict, report.repairs, pathOfMessage), report };
}

/** What reading tells. */
interface OpenReport {
  readonly losses: Loss[];
  readonly repairs: Repair[];
}

function pathOfMessage(at: number): string {
  return `messages[${at}]`;
}

function decodeList(items: readonly unknown[], report: OpenReport): Messages {
  const time = now();
  const messages: Message[] = [];
  let before: Reading['before'] = items.length > 1 ? '' : undefined;
  for (const item of items) {
    const frequent = decodeFrequent(item, time);
    const message: Message =
      frequent === undefined || isApart(frequent.role, before)
        ? readMessage(item, pathOfMessage(messages.length), { ...report, time, before })
        : frequent;
    messages.push(message);
    before = message.role;
  }
  return Messages.owning(messages);
}

function readMessage(given: unknown, path: string, reading: Reading & OpenReport): Message {
  const item = fromSdk(wellFormed(given, reading.repairs, path));
  if (!isRecord(item)) return rejectWire(path, given, 'a message');
  return decodeMessage(copyJsonObject(item, path), path, reading);
}

function decodeResponse({ model, usage }: Fields, [choice, ...others]: readonly unknown[], strict: boolean): Decoded {
  if (!isRecord(choice)) return rejectWire('choices[0]', choice, 'a choice');
  const losses = others.map((_, at): Loss => ({
    path: `choices[${at + 1}]`,
    rule: 'further-choice',
    action: 'dropped',
    message: 'only the first choice is read',
  }));
  const report: OpenReport = { losses, repairs: [] };
  const path = 'choices[0].message';
  const end = endOf(choice, usage);
  const reading = {
    ...report,
    time: now(),
    model: typeof model === 'string' ? model.toWellFormed() : undefined,
    isCut: end.finish?.reason === 'length',
  };
  const said = isRecord(choice['message']) ? { role: 'assistant', ...choice['message'] } : undefined;
  const read = Messages.of(readMessage(said, path, reading));
  return { messages: settled(read, strict, report.repairs, () => path), report, ...end };
}

/** The messages as they were read; strictly, as the server would take them. */
function settled(read: Messages, strict: boolean, repairs: Repair[], pathOf: (at: number) => string): Messages {
  if (!strict) return read;
  checkStrictly(read, pathOf);
  return inCallOrder(read, repairs, pathOf);
}
