import { reject } from '../../errors.ts';
import { now, timeText } from '../../internal/ids.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import type { Decoded, DecodeOptions, Repair } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { wellFormed } from '../well-formed.ts';
import { ItemReader, type ReadContext } from './item-reader.ts';
import { originOf } from './origin.ts';
import { finishOf, usageOf } from './response.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The messages of a request's history (`{ instructions, input }` or the list of items), or of a response (`{ output }`,
 * with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what the API would refuse, and
 * with a code for each rule
 */
export function decode(wire: unknown, { strict = false }: DecodeOptions = {}): Decoded {
  if (isRecord(wire) && Array.isArray(wire['output'])) return decodeResponse(wire, wire['output'], strict);
  const { instructions, input } = (isRecord(wire) ? wire : { input: wire }) as Fields;
  const repairs: Repair[] = [];
  const time = now();
  const top = textOf(instructions, 'instructions', repairs);
  const before = top === undefined ? [] : [Message.of({ role: 'system', content: top, createdAt: timeText(time) })];
  const report = { losses: [], repairs };
  if (Array.isArray(input)) {
    const context = { time, repairs, pathOf: (at: number) => `input[${at}]`, isTop: top === undefined };
    return { messages: readItems(input, context, before, strict), report };
  }
  const text = isRecord(wire) ? textOf(input, 'input', repairs) : undefined;
  if (text === undefined) return reject('input', 'items, or an object with input or output', wire);
  const origin = originOf({ item: {}, content: 'input' });
  const said = Message.of({ role: 'user', content: text, createdAt: timeText(time), origin });
  return { messages: Messages.of(...before, said), report };
}

function textOf(value: unknown, path: string, repairs: Repair[]): string | undefined {
  const text = wellFormed(value, repairs, path);
  if (text === undefined || text === null) return undefined;
  return typeof text === 'string' ? text : reject(path, 'text', value);
}

function readItems(
  items: readonly unknown[],
  context: ReadContext,
  before: readonly Message[],
  strict: boolean,
): Messages {
  const reader = new ItemReader(context);
  for (let at = 0; at < items.length; at++) reader.add(items[at], at);
  const { messages, places } = reader.close();
  const read = before.length === 0 ? messages : messages.prependMessages(before);
  if (!strict) return read;
  return inCallOrder(read, context.repairs, (at) =>
    at < before.length ? 'instructions' : context.pathOf(places[at - before.length] as number),
  );
}

function decodeResponse(wire: Fields, output: readonly unknown[], strict: boolean): Decoded {
  const repairs: Repair[] = [];
  const { status, model, incomplete_details } = wire;
  const head = wellFormed({ status, model, incomplete_details }, repairs, '') as Fields;
  const finish = finishOf(head, output);
  const context = {
    time: now(),
    repairs,
    pathOf: (at: number) => `output[${at}]`,
    ...(typeof head['model'] === 'string' && { model: head['model'] }),
    ...(status === 'incomplete' && { cut: finish?.reason }),
  };
  const messages = readItems(output, context, [], strict);
  const usage = usageOf(wire['usage']);
  return { messages, report: { losses: [], repairs }, ...(finish && { finish }), ...(usage && { usage }) };
}
