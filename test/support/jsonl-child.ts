/** Run as a process of its own: appends to a session, and prints the id of each commit once it is acknowledged. */
import { appendFileSync, writeSync } from 'node:fs';
import { type JsonlStorage, jsonlStorage, type JsonlStorageOptions } from '../../src/storage/jsonl/index.ts';

/** What the process is to do, as JSON in its first argument. */
export interface ChildTask extends JsonlStorageOptions {
  readonly folder: string;
  readonly session: string;
  /** What its ids begin with. */
  readonly prefix: string;
  readonly count: number;
  /** How many nodes a commit has; default: 1. */
  readonly batch?: number;
  /** How long the text of a node is. */
  readonly size: number;
  /** Whether each commit goes to a session of its own, which is created before, put in order after, and deleted two later. */
  readonly churns?: boolean;
  /** The user that it becomes. */
  readonly user?: number;
}

async function run({
  folder,
  session,
  prefix,
  count,
  batch = 1,
  size,
  churns,
  user,
  ...options
}: ChildTask): Promise<void> {
  if (user !== undefined) process.setuid?.(user);
  const storage = jsonlStorage(folder, options);
  const text = 'x'.repeat(size);
  for (let at = 0; at < count; at++) {
    const ids = Array.from({ length: batch }, (_, part) => `${prefix}-${at}-${part}`);
    const ops = ids.map((id) => ({
      op: 'node' as const,
      node: { id, section: 'chat', type: 'message', at: '', data: { text } },
    }));
    const id = churns ? `${prefix}-${at}` : session;
    if (churns) await storage.create(id);
    await storage.commit(id, { id: `${prefix}-${at}`, ops });
    if (churns) await tidy(storage, folder, prefix, at);
    writeSync(1, `${ids.join('\n')}\n`);
  }
}

async function tidy(storage: JsonlStorage, folder: string, prefix: string, at: number): Promise<void> {
  appendFileSync(`${folder}/${prefix}-${at}.jsonl`, 'damaged\n');
  await storage.repair(`${prefix}-${at}`);
  await storage.delete(`${prefix}-${at - 2}`);
}

const [task] = process.argv.slice(2);
if (task !== undefined)
  await run(JSON.parse(task) as ChildTask).catch((error: unknown) => {
    writeSync(2, JSON.stringify(error instanceof Error ? { ...error, message: error.message } : error));
    process.exitCode = 1;
  });
