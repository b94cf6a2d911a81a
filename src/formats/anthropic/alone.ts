import type { Request } from './request.ts';
import type { Turn } from './request-builder.ts';

/** As much of a block as tells whether it can stand where it does. */
interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

/**
 * Leaves out of a turn what cannot stand alone: thinking at its end ("The final block in an assistant message cannot be
 * `thinking`"), and a tool of the provider without an answer where the user speaks next ("tool use with id `srvtoolu_…`
 * was found without a corresponding `web_search_tool_result` block"). Gives whether something is left.
 */
export function dropAlone({ role, blocks, index }: Turn, next: Turn | undefined, { report, pathOf }: Request): boolean {
  if (role === 'assistant' && next?.role !== role)
    for (let at = blocks.length; at--;) {
      const { type, id } = blocks[at] as Block;
      const isAlone = type.endsWith('_tool_use')
        ? next && !next.hasOnlyAnswers && !blocks.some((block) => (block as Block).tool_use_id === id)
        : !blocks[at + 1] && type.endsWith('thinking');
      if (!isAlone) continue;
      blocks.splice(at, 1);
      report.repair(pathOf(index as number), 'alone', 'dropped', 'nothing follows it: left out');
    }
  return blocks.length > 0;
}
