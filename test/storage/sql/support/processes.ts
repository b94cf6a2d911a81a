/** Processes that write, and whether what they acknowledged is there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'vitest';
import type { SessionStorage } from '../../../../src/index.ts';
import { ROOT } from '../../../support/source.ts';
import type { TestDatabase, TestPlace } from './databases.ts';
import { wholePath } from './whole-path.ts';

/** The writer in one file: it starts several times as fast. */
const WRITER = `${ROOT}/node_modules/.cache/message-store/writer-${process.pid}.mjs`;
await build({
  entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
  outfile: WRITER,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'es2024',
  external: ['pg', 'mysql2', 'better-sqlite3', '@electric-sql/pglite'],
  logLevel: 'error',
});

export interface Writer {
  readonly process: ChildProcess;
  /** What it acknowledged until now. */
  readonly acknowledged: string[];
  /** Once it has ended: its exit code, or the signal. */
  readonly ended: Promise<number | string | null>;
  readonly errors: () => string;
}

export function startWriter(
  { kind }: TestDatabase,
  { target, prefix }: TestPlace & { readonly target: string },
  session: string,
  name: string,
  count: number,
): Writer {
  const child = spawn(process.execPath, ['--no-warnings', WRITER, kind!, target, prefix, session, name, String(count)]);
  const acknowledged: string[] = [];
  let [rest, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  );
  return { process: child, acknowledged, ended, errors: () => errors };
}

/** What stands there once a server has ended what killed clients had begun. */
async function quiet(storage: SessionStorage, session: string) {
  for (;;) {
    const head = (await storage.head(session))!;
    const path = await wholePath(storage, session);
    await new Promise((resolve) => void setTimeout(resolve, 100));
    if ((await storage.head(session))!.version === head.version) return { head, path };
  }
}

/** All that was acknowledged is there, in one chain, in the order of each writer. */
export async function expectOneChain(storage: SessionStorage, session: string, writers: readonly Writer[]) {
  const { path, head } = await quiet(storage, session);
  expect(path.length).toBe(head.nodeCount);
  expect(head.version).toBe(head.nodeCount);
  const places = new Map(path.map(({ id }, at) => [id, at]));
  expect(places.size).toBe(path.length);
  for (const { acknowledged } of writers) {
    const own = acknowledged.map((id) => places.get(id) ?? -1);
    expect(own.filter((place) => place < 0)).toEqual([]);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
  }
  return path.length;
}
