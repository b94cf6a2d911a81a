import { MessageStoreError, reject } from '../errors.ts';
import { newId, timeText } from '../internal/ids.ts';
import type { Content } from '../model/content.ts';
import { Message } from '../model/message.ts';
import type { MessageFields } from '../model/message-fields.ts';
import { Messages } from '../model/messages.ts';
import type { ToolCalls } from '../model/tool-calls.ts';
import { isRecord } from '../schema/json.ts';
import type { Origin } from '../schema/origin.ts';
import type { Accumulator, Decoded, DecodeOptions, Usage } from './format.ts';
import { recorded } from './recorded.ts';

/** What was said of a response so far. */
export interface Said {
  readonly content: Content;
  readonly toolCalls: ToolCalls;
  readonly origin?: Origin;
}

/** A response of a wire while it is put together from the events of its stream. */
export interface Assembly {
  /** Takes an event. */
  add(event: Readonly<Record<string, unknown>>): void;
  /** What was said so far; undefined where that is nothing. */
  said(): Said | undefined;
  /** The whole response as the wire has it without a stream; undefined before its end came. */
  response(): unknown;
  /** What the response cost so far, where that was told. */
  usage(): Usage | undefined;
  /** What the provider told of an error. */
  readonly failure: string | undefined;
}

/** An accumulator over the assembly of a wire. */
export function accumulate<Event>(
  assembly: Assembly,
  decode: (wire: unknown, options: DecodeOptions) => Decoded,
  options: DecodeOptions,
): Accumulator<Event> {
  const identity = { id: newId(), createdAt: timeText() };
  const begun = Message.of({ role: 'assistant', ...identity, incomplete: { reason: 'streaming' } });
  let shown: Message | undefined;
  let result: Decoded | undefined;
  return {
    push(event) {
      if (result !== undefined)
        throw new MessageStoreError('stream_finished', 'the stream is finished: make an accumulator for each response');
      shown = undefined;
      assembly.add(isRecord(event) ? event : reject('event', 'an event of the stream', event));
    },
    message: () => result?.messages.last() ?? (shown ??= soFar(begun, assembly.said())),
    finish: () =>
      (result ??= identified(wholeOf(assembly, decode, options) ?? recorded(broken(assembly), options), identity)),
  };
}

/** Without looking at what was said, which may be long. */
function soFar(begun: Message, said: Said | undefined): Message {
  return said === undefined ? begun : begun.withContent(said.content).withToolCalls(said.toolCalls);
}

function wholeOf(
  assembly: Assembly,
  decode: (wire: unknown, options: DecodeOptions) => Decoded,
  options: DecodeOptions,
): Decoded | undefined {
  const response = assembly.failure === undefined ? assembly.response() : undefined;
  return response === undefined ? undefined : decode(response, options);
}

/** What is left of a response whose stream broke off. */
function broken(assembly: Assembly): Decoded {
  const { failure } = assembly;
  const said = assembly.said();
  const usage = assembly.usage();
  const incomplete = { reason: failure === undefined ? 'aborted' : 'error' };
  return {
    messages:
      said === undefined ? Messages.empty() : Messages.of(Message.of({ role: 'assistant', ...said, incomplete })),
    report: { losses: [], repairs: [] },
    ...(failure !== undefined && { finish: { reason: 'error', raw: failure } }),
    ...(usage && { usage }),
  };
}

/** The message that was shown while it came is this one. */
function identified(decoded: Decoded, identity: Pick<MessageFields, 'id' | 'createdAt'>): Decoded {
  const last = decoded.messages.last();
  return last === undefined
    ? decoded
    : { ...decoded, messages: decoded.messages.replaceLast(Message.of({ ...last, ...identity })) };
}
