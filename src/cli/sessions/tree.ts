import { headOf } from '../../storage/read-nodes.ts';
import type { SessionStorage } from '../../storage/storage.ts';
import { printable } from '../failure.ts';
import { type Output, withOutput } from '../output.ts';
import { withStore } from './open-store.ts';
import { nodePages } from './read-store.ts';
import { type Children, type DrawnNode, linesOf } from './tree-lines.ts';
import { wordsOf } from './words.ts';

/** The options of `sessions tree`. */
export interface TreeOptions {
  /** Whether long runs without branching are drawn too. */
  readonly full?: boolean;
}

/** Draws the branches of a session. */
export async function tree(text: string, id: string, { full = false }: TreeOptions): Promise<void> {
  await withStore(text, 'read', ({ storage }) =>
    withOutput(undefined, async (output) => {
      const { leaf } = await headOf(storage, id);
      await print(linesOf(await childrenIn(storage, id, leaf), full), output);
      if (leaf === null) await output.write('← leaf: before the first message\n');
    }),
  );
}

/** A parent is always older; what hangs below one that is missing, or younger, is drawn as a root. */
async function childrenIn(storage: SessionStorage, id: string, leaf: string | null): Promise<Children> {
  const { labels } = await storage.extras(id);
  const children = new Map<string | null, DrawnNode[]>([[null, []]]);
  for await (const page of nodePages(storage, id))
    for (const node of page) {
      const label = Object.hasOwn(labels, node.id) ? printable(labels[node.id] as string) : undefined;
      const drawn = { id: node.id, shownId: printable(node.id), words: wordsOf(node), label, isLeaf: node.id === leaf };
      const parent = children.has(node.parentId) ? node.parentId : null;
      (children.get(parent) as DrawnNode[]).push(drawn);
      if (!children.has(node.id)) children.set(node.id, []);
    }
  return children;
}

const LINES_AT_ONCE = 500;

async function print(lines: Iterable<string>, output: Output): Promise<void> {
  let waiting: string[] = [];
  for (const line of lines) {
    waiting.push(`${line}\n`);
    if (waiting.length < LINES_AT_ONCE) continue;
    await output.write(waiting.join(''));
    waiting = [];
  }
  if (waiting.length > 0) await output.write(waiting.join(''));
}
