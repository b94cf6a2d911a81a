import type { Message } from '../../model/message.ts';
import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { encodeWith } from '../encode-with.ts';
import type { OpenReport } from '../open-report.ts';
import type { Prepared } from '../prepare.ts';
import { MessageEncoder } from './encode-message.ts';
import type { InstructionMessage, OllamaMessage, OllamaPayload } from './wire.ts';

/** Options of this format. */
export interface OllamaOptions extends EncodeOptions {
  /** Which reasoning goes out as `thinking`: what came from this wire, or all. Default: what came from this wire. */
  readonly reasoning?: 'own' | 'all';
  /**
   * Which ids of tool calls go out, with their answers: those that came from this wire, or all. Newer servers give
   * their calls ids, older ones pass over them. Default: those that came from this wire.
   */
  readonly toolCallIds?: 'own' | 'all';
  /**
   * Whether the system messages at the beginning go out one by one, or as one with blank lines between them, since the
   * templates of many models see only the first. Default: one by one.
   */
  readonly instructions?: 'separate' | 'merged';
}

/** The messages of a request. */
export function encode(input: EncodeInput, options: OllamaOptions = {}): Encoded<OllamaPayload> {
  return encodeWith(input, options, (prepared, report) => ({ messages: buildMessages(prepared, report, options) }));
}

function buildMessages(
  { messages: valid, placeOf }: Prepared,
  report: OpenReport,
  options: OllamaOptions,
): OllamaMessage[] {
  const messages: OllamaMessage[] = [];
  /** The instructions at the beginning that go out as one. */
  const merged: InstructionMessage[] = [];
  let turn: Message | undefined;
  let answered = 0;
  valid.forEach((message, index) => {
    if (message.role !== 'tool') [turn, answered] = [message, 0];
    const call = message.role === 'tool' ? turn?.toolCalls.at(answered++) : undefined;
    const encoded = new MessageEncoder(message, placeOf(index), report, options).encode(call);
    if (encoded === undefined) return;
    report.made(encoded, index);
    if (options.instructions === 'merged' && messages.length === 0 && isInstruction(encoded)) {
      if (merged.push(encoded) > 1)
        report.lose(`messages[${placeOf(index)}]`, 'instructions', 'moved', 'joined to those before');
    } else messages.push(encoded);
  });
  return merged.length === 0 ? messages : [joined(merged, report), ...messages];
}

/** Instructions as one message; where it is traced, with those that it consists of. */
function joined(merged: readonly InstructionMessage[], { isTracing }: OpenReport): InstructionMessage {
  const texts = merged.map(({ content }) => content).filter((text) => text !== '');
  return { role: 'system', content: texts.join('\n\n'), ...(isTracing && { merged }) };
}

/** Whether a message is instructions, with nothing beside their text. */
function isInstruction(message: OllamaMessage): message is InstructionMessage {
  return message.role === 'system' && Object.keys(message).length === 2;
}
