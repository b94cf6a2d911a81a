import { type ErrorCode, reject } from '../../errors.ts';
import type { Making } from './encode-message.ts';
import type { BedrockBlock, BedrockMessage } from './wire.ts';

/**
 * Makes the ends of a history such as the model takes: the user speaks first ("A conversation must start with a user
 * message") and, where the model asks for it, last. A last text of the assistant ends without whitespace ("final
 * assistant content cannot end with trailing whitespace"). Where the user said nothing, a placeholder does.
 *
 * @throws InvalidInputError where a placeholder is needed and `invalid` is `'throw'`
 */
export function closeEnds(messages: BedrockMessage[], speakers: readonly number[], making: Making): void {
  const { pathOf, options } = making;
  const pathAt = (at: number): string => (messages.length === 0 ? 'messages' : pathOf(speakers.at(at) ?? 0));
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    if (options.prefill === false) messages.push(standIn('last-user', '(go on)', pathAt(-1), 'invalid_role', making));
    else trimEnd(last.content, pathAt(-1), making);
  }
  if (messages[0]?.role === 'user') return;
  const code = messages.length === 0 ? 'no_user_message' : 'starts_with_assistant';
  messages.unshift(standIn('first-user', '(no message)', pathAt(0), code, making));
}

function standIn(
  rule: string,
  text: string,
  path: string,
  code: ErrorCode,
  { options, report }: Making,
): BedrockMessage {
  if (options.invalid === 'throw') reject(path, 'the user at both ends', rule, code);
  report.repair(path, rule, 'added', `the user was missing: "${text}"`);
  return { role: 'user', content: [{ text }] };
}

function trimEnd(content: readonly BedrockBlock[], path: string, { places, report }: Making): void {
  const last = content.findLast((block) => !('cachePoint' in block));
  if (last === undefined || !('text' in last)) return;
  const text = last.text.trimEnd();
  if (text === last.text) return;
  last.text = text;
  report.repair(places.get(last) ?? `${path}.content[0]`, 'prefill-whitespace', 'rewritten', 'whitespace was trimmed');
}
