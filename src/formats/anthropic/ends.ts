import { reject } from '../../errors.ts';
import type { OpenReport } from '../open-report.ts';
import type { AnthropicOptions } from './encode.ts';
import type { Turn } from './request-builder.ts';

/**
 * Makes the ends of a history such as the model takes: the user speaks first ("first message must use the `user` role")
 * and, where the model asks for it, last. A last text of the assistant ends without whitespace ("final assistant content
 * cannot end with trailing whitespace"). Where the user said nothing, a placeholder does.
 *
 * @throws InvalidInputError `invalid_role` where a placeholder is needed and `invalid` is `'throw'`
 */
export function closeEnds(turns: Turn[], report: OpenReport, options: AnthropicOptions): void {
  const { invalid, assistantFirst, prefill = true } = options;
  const stand = (rule: string, text: string, path = 'messages'): Turn => {
    if (invalid === 'throw') reject(path, 'the user at both ends', rule, 'invalid_role');
    report.repair(path, rule, 'added', `the user was missing: "${text}"`);
    return { role: 'user', blocks: [{ block: { type: 'text', text }, path }], path };
  };
  const [first] = turns;
  if (first?.role !== 'user' && !(first && assistantFirst))
    turns.unshift(stand('first-user', '(no message)', first?.path));
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return;
  if (prefill) trimEnd(last, report);
  else turns.push(stand('last-user', '(go on)', last.path));
}

function trimEnd({ blocks }: Turn, report: OpenReport): void {
  const { block, path = '' } = blocks.at(-1) ?? {};
  if (block?.type !== 'text') return;
  const text = block.text.trimEnd();
  if (text === block.text) return;
  blocks.splice(-1, 1, { block: { ...block, text }, path });
  report.repair(path, 'prefill-whitespace', 'rewritten', 'whitespace was trimmed');
}
