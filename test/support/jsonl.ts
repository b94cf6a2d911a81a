/** Sessions in files for tests: a folder of their own, raw lines with a hash that fits, and short words for commits. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { JsonValue, Op, SessionStorage } from '../../src/index.ts';
import { jsonlStorage, type JsonlStorageOptions } from '../../src/storage/jsonl/index.ts';

/** A fresh folder, removed when the test is over. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'jsonl-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A node, below the one before it or below another one. */
export const node = (
  id: string,
  parentId?: string | null,
  data: JsonValue = { text: id },
): Op & { readonly op: 'node' } => ({
  op: 'node',
  node: {
    id,
    section: 'chat',
    type: 'message',
    at: '2025-01-01T00:00:00.000Z',
    data,
    ...(parentId !== undefined && { parentId }),
  },
});

/** Appends nodes, each in a commit of its own that has its id. */
export async function appendEach(storage: SessionStorage, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await storage.commit('s', { id: `c-${id}`, ops: [node(id)] });
}

/** A storage with the session `s`, these nodes in it, and the file that it is in. */
export async function opened(ids: readonly string[] = [], options: JsonlStorageOptions = { sync: 'none' }) {
  const path = folder();
  const storage = jsonlStorage(path, options);
  await storage.create('s');
  await appendEach(storage, ...ids);
  return { storage, path, file: logFile(join(path, 's.jsonl')), reopen: () => jsonlStorage(path, options) };
}

/** The bytes and lines of a file, and ways to damage it. */
export function logFile(path: string) {
  return {
    path,
    exists: () => existsSync(path),
    bytes: () => readFileSync(path),
    lines: () => readFileSync(path, 'utf8').split('\n').slice(0, -1),
    write: (content: string | Buffer) => writeFileSync(path, content),
    append: (content: string | Buffer) => appendFileSync(path, content),
    /** Puts other lines in the place of all. */
    edit: (change: (lines: string[]) => readonly (string | Buffer)[]) => {
      const lines = change(readFileSync(path, 'utf8').split('\n').slice(0, -1));
      writeFileSync(path, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
    },
  };
}

/** A record as a line whose hash fits. */
export function sealed(record: object): string {
  const text = JSON.stringify({ ...record, h: undefined }).slice(0, -1);
  return `${text},"h":"${crc32(text).toString(16).padStart(8, '0')}"}`;
}

/** A line whose record is changed, with a hash that fits. */
export const changed = (line: string, change: (record: any) => object): string => sealed(change(JSON.parse(line)));

/** The ids on the path to the leaf. */
export const pathIds = async (storage: SessionStorage, id = 's'): Promise<string[]> =>
  (await storage.path(id)).items.map((item) => item.id);

/** The kinds of problems, with the numbers of their lines. */
export async function problemKinds(storage: SessionStorage, id = 's'): Promise<string[]> {
  const { items } = await storage.problems(id);
  return items.map(({ kind, where }) => `${kind} ${/:(\d+)(?: \(|$)/.exec(where)?.[1]}`);
}
