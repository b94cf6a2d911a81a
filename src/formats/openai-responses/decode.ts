import { reject } from '../../errors.ts';
import { now } from '../../internal/ids.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import type { Decoded, DecodeOptions, Finish, Repair } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { rejectWire } from '../failure.ts';
import { recorded } from '../recorded.ts';
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
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  if (isRecord(wire) && Array.isArray(wire['output'])) return decodeResponse(wire, wire['output'], strict);
  const { instructions: top, input } = (isRecord(wire) ? wire : { input: wire }) as Fields;
  const isText = typeof input === 'string' && isRecord(wire);
  if (!isText && !Array.isArray(input)) return rejectWire('input', wire);
  const repairs: Repair[] = [];
  const isTop = top === undefined || top === null;
  const read = isText
    ? Messages.of(textMessage('user', input, 'input', repairs))
    : readItems(input as readonly unknown[], { time: now(), repairs, list: 'input', isTop });
  const messages = isTop ? read : read.prependMessages(textMessage('system', top, 'instructions', repairs));
  return { messages: strict ? strictly(messages, repairs) : messages, report: { losses: [], repairs } };
}

/** A text that stands by itself; what the user says is all of the input then. */
function textMessage(role: 'system' | 'user', text: unknown, path: string, repairs: Repair[]): Message {
  const content = wellFormed(text, repairs, path);
  if (typeof content !== 'string') return reject(path, 'text', text);
  return Message.of({ role, content, ...(role === 'user' && { origin: originOf({ item: {}, content: 'input' }) }) });
}

function readItems(items: readonly unknown[], context: ReadContext): Messages {
  const reader = new ItemReader(context);
  for (let at = 0; at < items.length; at++) reader.add(items[at], at);
  return reader.close();
}

function strictly(messages: Messages, repairs: Repair[]): Messages {
  return inCallOrder(messages, repairs, (at) => `messages[${at}]`);
}

function decodeResponse(wire: Fields, output: readonly unknown[], strict: boolean): Decoded {
  const repairs: Repair[] = [];
  const { status, model } = wire;
  const end = finishOf(wire);
  const context = {
    time: now(),
    repairs,
    list: 'output',
    ...(typeof model === 'string' && { model }),
    ...(status !== 'completed' && { cut: end?.reason }),
  };
  const read = readItems(output, context);
  const messages = strict ? strictly(read, repairs) : read;
  // Only what it holds shows that a response calls tools (`openai` package, Response).
  const calls = end?.reason === 'stop' && messages.last()?.hasToolCalls();
  const finish: Finish | undefined = calls ? { ...end, reason: 'tool_calls' } : end;
  const usage = usageOf(wire['usage']);
  return { messages, report: { losses: [], repairs }, ...(finish && { finish }), ...(usage && { usage }) };
}
