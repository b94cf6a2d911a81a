import { exchangesOf } from '../model/exchange.ts';
import type { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { oneLine } from './one-line.ts';
import { answeredCalls, linesOf, toldAnswer, toldCall, toldContent, toldPart } from './told.ts';

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/**
 * The conversation as plain text, for a summariser or a log: a paragraph for each message that says something, beginning
 * with its role and name. Media are marks (`[image]`, `[file: report.pdf]`), calls and answers are told in words,
 * reasoning is left out. Lines after a message's first are indented, so that no text can pass for another message.
 * The same text each time; linear.
 *
 * @example
 * import { transcript } from 'message-store';
 * import { call, chat, result, user } from 'message-store/testing';
 * const text = transcript(chat(user('How cold?', 'Ann'), call('weather', { city: 'Oslo' }), result('weather', '-3 °C')));
 * text.split('\n\n')
 * // => ['user (Ann): How cold?', 'assistant: [called weather({"city":"Oslo"})]', 'tool: [weather answered: -3 °C]']
 */
export function transcript(messages: MessagesInput): string {
  const paragraphs: string[] = [];
  const add = (message: Message, text: string): void => {
    if (text !== '') paragraphs.push(`${speakerOf(message)}: ${text.replaceAll(LINE_BREAK, '$&  ')}`);
  };
  for (const { messages: exchange } of exchangesOf(Messages.from(messages))) {
    const [first] = exchange;
    add(first, first.isTool() ? told(first, undefined) : spoken(first));
    for (const { answer, call } of answeredCalls(exchange)) add(answer, told(answer, call));
  }
  return paragraphs.join('\n\n');
}

function told(answer: Message, call: ToolCall | undefined): string {
  return toldAnswer(answer, call, toldContent(answer.content));
}

/** What a message says and calls, in true order. */
function spoken(message: Message): string {
  if (!message.hasToolCalls()) return toldContent(message.content);
  return linesOf(
    Array.from(message.blocks(), (block) => (block.type === 'part' ? toldPart(block.part) : toldCall(block.call))),
  );
}

function speakerOf({ role, name }: Message): string {
  const shown = oneLine(name);
  return shown === '' ? role : `${role} (${shown})`;
}
