import { reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import type { Content } from '../model/content.ts';
import { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { type AnswerValue, readAnswer } from '../turns/answer-content.ts';
import { toldContent } from './told.ts';

/** One example of what a model is to answer. Text, content and what a message says are as they are, any other JSON value becomes compact JSON text. */
export interface Example {
  readonly input: AnswerValue;
  readonly output: AnswerValue;
}

/**
 * Examples as turns of a conversation: what the user says, and what the assistant answers.
 *
 * @throws InvalidInputError naming the path of what JSON would lose or change
 * @example
 * examples([{ input: 'Ann is 30.', output: { name: 'Ann', age: 30 } }]).map(String) // => ['Ann is 30.', '{"name":"Ann","age":30}']
 */
export function examples(list: readonly Example[]): Messages {
  const turns = readExamples(list).map(({ input, output }) => [
    Message.make('user', input),
    Message.make('assistant', output),
  ]);
  return Messages.owning(turns.flat());
}

/**
 * Examples as one text, for instructions: each input and output stands between fences of backticks that are longer than any
 * row of backticks in them, so that none can end its fence. Media are marks: `[image]`. `''` where there are no examples.
 *
 * @throws InvalidInputError naming the path of what JSON would lose or change
 * @example
 * examplesText([{ input: 'Hi', output: 'Hello' }]).split('\n')
 * // => ['Example 1', '', 'Input:', '```', 'Hi', '```', '', 'Output:', '```', 'Hello', '```']
 */
export function examplesText(list: readonly Example[]): string {
  const texts = readExamples(list).map(({ input, output }) => [toldContent(input), toldContent(output)]);
  const fence = '`'.repeat(Math.max(3, longestRow(texts.flat()) + 1));
  const fenced = (text = ''): string => [fence, text, fence].join('\n');
  return texts
    .map(([input, output], at) => `Example ${at + 1}\n\nInput:\n${fenced(input)}\n\nOutput:\n${fenced(output)}`)
    .join('\n\n');
}

interface ReadExample {
  readonly input: Content;
  readonly output: Content;
}

function readExamples(list: readonly Example[]): ReadExample[] {
  return list.map(({ input, output }, at) => {
    const read = (value: AnswerValue, key: string): Content => {
      const path = joinPath(joinPath('', at), key);
      if (value === undefined) reject(path, 'text, content, or a JSON value', value);
      return value instanceof Message ? value.content : readAnswer(value, undefined, path).content;
    };
    return { input: read(input, 'input'), output: read(output, 'output') };
  });
}

function longestRow(texts: readonly string[]): number {
  let longest = 0;
  for (const text of texts) for (const [row] of text.matchAll(/`+/g)) longest = Math.max(longest, row.length);
  return longest;
}
