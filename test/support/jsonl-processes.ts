/** Processes that append to sessions in files, and what is left of what they did. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { SessionStorage, StoredNode } from '../../src/index.ts';
import type { ChildTask } from './jsonl-child.ts';

const SOURCE = fileURLToPath(new URL('jsonl-child.ts', import.meta.url));
let child = '';

/** Builds the children's program into one file, which starts in a fraction of the time. */
export function useChildren(): void {
  const path = mkdtempSync(join(tmpdir(), 'jsonl-child-'));
  child = join(path, 'child.mjs');
  beforeAll(() => {
    buildSync({ entryPoints: [SOURCE], bundle: true, platform: 'node', format: 'esm', outfile: child });
  });
  afterAll(() => rmSync(path, { recursive: true }));
}

/** What a process did. */
export interface ChildOutcome {
  /** The ids of the nodes whose commits were acknowledged. */
  readonly acknowledged: readonly string[];
  readonly code: number | null;
  readonly signal: string | null;
  readonly error: string;
}

/** Starts a process; `watch` sees it, and each piece of what it prints. */
export function startChild(task: ChildTask, watch?: (child: ChildProcess) => void): Promise<ChildOutcome> {
  const started = spawn(process.execPath, [child, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [printed, error] = ['', ''];
  started.stdout.on('data', (text) => (printed += text));
  started.stderr.on('data', (text) => (error += text));
  watch?.(started);
  return new Promise((resolve) => {
    started.on('close', (code, signal) =>
      resolve({ acknowledged: printed.split('\n').slice(0, -1), code, signal, error }),
    );
  });
}

/** Kills a process at some moment within this time after its first acknowledged commit. */
export const killWithin =
  (milliseconds: number) =>
  (child: ChildProcess): void => {
    child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * milliseconds));
  };

/** All nodes of a session, in its order. */
export async function allNodes(storage: SessionStorage, session: string): Promise<StoredNode[]> {
  const nodes: StoredNode[] = [];
  for (let after: number | undefined = -1; after !== undefined;) {
    const page = await storage.scan(session, { after, limit: 10_000 });
    nodes.push(...page.items);
    after = page.next === null ? undefined : Number(page.next);
  }
  return nodes;
}

/** Whether each node hangs below the one before it. */
export const isOneChain = (nodes: readonly StoredNode[]): boolean =>
  nodes.every(({ parentId, depth }, at) => parentId === (nodes[at - 1]?.id ?? null) && depth === at);

/** What became of what was acknowledged. */
export function losses(acknowledged: readonly string[], nodes: readonly StoredNode[]) {
  const ids = nodes.map(({ id }) => id);
  const found = new Set(ids);
  return { lost: acknowledged.filter((id) => !found.has(id)).length, doubled: ids.length - found.size };
}
