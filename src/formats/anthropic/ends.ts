import { refuse } from '../open-report.ts';
import type { Request } from './request.ts';
import type { Turn } from './request-builder.ts';

/**
 * Makes the ends of a history such as the model takes: the user speaks first ("first message must use the `user` role")
 * and, where the model asks for it, last. A last text of the assistant ends without whitespace ("final assistant content
 * cannot end with trailing whitespace"). Where the user said nothing, a placeholder does.
 *
 * @throws MessageStoreError with a code of its own for each where `invalid` is `'throw'`
 */
export function closeEnds(turns: Turn[], request: Request): void {
  const { assistantFirst, prefill = true } = request.options;
  const [first] = turns;
  if (first?.role !== 'user' && !(first && assistantFirst)) {
    const code = first ? 'starts_with_assistant' : 'no_user_message';
    turns.unshift(standIn(code, '(no message)', first?.index, request));
  }
  const last = turns.at(-1);
  if (last?.role !== 'assistant') return;
  if (prefill) trimEnd(last, request);
  else turns.push(standIn('ends_with_assistant', '(go on)', last.index, request));
}

/** Words of the user beside a message. */
function standIn(
  code: 'no_user_message' | 'starts_with_assistant' | 'ends_with_assistant',
  text: string,
  index: number | undefined,
  request: Request,
): Turn {
  const path = index === undefined ? 'messages' : request.pathOf(index);
  const about = `the user was missing: "${text}" goes out`;
  refuse(request.report, path, code, about);
  request.report.repair(path, code.replaceAll('_', '-'), 'added', about);
  return { role: 'user', blocks: [{ type: 'text', text }], index };
}

function trimEnd({ blocks, index }: Turn, request: Request): void {
  const block = blocks.at(-1);
  if (block?.type !== 'text' || !/\s$/.test(block.text)) return;
  block.text = block.text.trimEnd();
  request.report.repair(
    request.pathOf(index as number),
    'prefill-whitespace',
    'rewritten',
    'whitespace was trimmed at the end',
  );
}
