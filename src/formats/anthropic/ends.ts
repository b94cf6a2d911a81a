import type { ErrorCode } from '../../errors.ts';
import type { Request } from './request.ts';
import type { Turn } from './request-builder.ts';

/**
 * Makes the ends of a history such as the model takes: the user speaks first ("first message must use the `user` role")
 * and, where the model asks for it, last. A last text of the assistant ends without whitespace ("final assistant content
 * cannot end with trailing whitespace"). Where the user said nothing, a placeholder does.
 *
 * @throws MessageStoreError where a placeholder is needed and `invalid` is `'throw'`
 */
export function closeEnds(turns: Turn[], request: Request): void {
  const { assistantFirst, prefill = true } = request.options;
  const [first] = turns;
  if (first?.role !== 'user' && !(first && assistantFirst))
    turns.unshift(standIn(first ? 'starts_with_assistant' : 'no_user_message', '(no message)', first?.index, request));
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return;
  if (prefill) trimEnd(last, request);
  else turns.push(standIn('ends_with_assistant', '(go on)', last.index, request));
}

/** Words of the user beside a message. */
function standIn(code: ErrorCode, text: string, index: number | undefined, request: Request): Turn {
  const path = index === undefined ? 'messages' : request.pathOf(index);
  request.report.mend(path, code, 'added', `the user is missing there: "${text}" goes out`);
  return { role: 'user', blocks: [{ type: 'text', text }], index };
}

function trimEnd({ blocks, index }: Turn, request: Request): void {
  const block = blocks.at(-1);
  if (block?.type !== 'text') return;
  const text = block.text.trimEnd();
  if (text === block.text) return;
  const path = request.places.get(block) ?? `${request.pathOf(index as number)}.content[0]`;
  block.text = text;
  request.report.repair(path, 'prefill-whitespace', 'rewritten', 'whitespace was trimmed');
}
