import type { SessionHead, SessionStorage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { columns } from '../columns.ts';
import { printable } from '../failure.ts';
import { type Output, withOutput } from '../output.ts';
import { withStore } from './open-store.ts';
import { headPages } from './read-store.ts';
import { shortened } from './words.ts';

/** The options of `sessions ls`. */
export interface ListOptions {
  readonly json?: boolean;
  readonly limit?: number;
  readonly prefix?: string;
}

/** What is listed of a session; null: it could not be read. */
interface Listed extends SessionHead {
  /** Up to 1 000. */
  readonly branches: number | null;
  readonly labels: number | null;
}

/** Prints a table of the sessions, newest first, or each as a line of JSON. A page is in memory at a time. */
export async function list(text: string, { json = false, limit, prefix }: ListOptions): Promise<void> {
  const query = { ...(limit !== undefined && { limit }), ...(prefix !== undefined && { prefix }) };
  await withStore(text, 'read', ({ storage }) =>
    withOutput(undefined, async (output) => {
      let isFirst = true;
      for await (const heads of headPages(storage, query)) {
        const page: Listed[] = [];
        for (const head of heads) page.push(await look(storage, head));
        await (json ? printJson(page, output) : printTable(page, isFirst, output));
        isFirst = false;
      }
    }),
  );
}

const MAX_BRANCHES = 1000;

/** What cannot be read is left open: `verify` says why. */
async function look(storage: SessionStorage, head: SessionHead): Promise<Listed> {
  try {
    const { items } = await storage.scan(head.id, { leaves: true, limit: MAX_BRANCHES });
    const { labels } = await storage.extras(head.id);
    return { ...head, branches: items.length, labels: Object.keys(labels).length };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { ...head, branches: null, labels: null };
  }
}

async function printJson(page: readonly Listed[], output: Output): Promise<void> {
  for (const listed of page) await output.write(`${JSON.stringify(listed)}\n`);
}

const HEADINGS = ['id', 'messages', 'branches', 'labels', 'size', 'updated', 'title'];

/** Columns are aligned within a page; the headings stand above the first one. */
async function printTable(page: readonly Listed[], isFirst: boolean, output: Output): Promise<void> {
  const lines = columns([HEADINGS, ...page.map(row)]).split('\n');
  const shown = isFirst ? lines : lines.slice(2);
  if (shown.length > 0) await output.write(`${shown.join('\n')}\n`);
}

function row({ id, nodeCount, branches, labels, bytes, updatedAt, meta }: Listed): string[] {
  const title = meta['title'];
  const cells = [id, nodeCount, branches ?? '?', labels ?? '?', bytes, updatedAt];
  return [...cells.map((cell) => printable(String(cell))), typeof title === 'string' ? shortened(title) : ''];
}
