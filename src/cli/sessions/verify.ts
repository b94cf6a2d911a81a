import { readdir } from 'node:fs/promises';
import type { Message } from '../../model/message.ts';
import { fileName } from '../../storage/jsonl/file-name.ts';
import { MESSAGE } from '../../storage/message-node.ts';
import { pathAll } from '../../storage/read-nodes.ts';
import { withoutStrayAnswers } from '../../storage/read-path.ts';
import type { SessionStorage, StoredNode } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { validate } from '../../turns/validate.ts';
import { printable } from '../failure.ts';
import { withOutput } from '../output.ts';
import { type Store, withStore } from './open-store.ts';
import { idsOf, nodePages } from './read-store.ts';
import { readable } from './words.ts';

/** What is wrong, and where: the words of a line. */
type Finding = readonly string[];

/** Prints what is wrong in sessions, in all where none is named, a line for each. Gives how much was found. */
export async function verify(text: string, ids: readonly string[]): Promise<number> {
  return withStore(text, 'read', (store) =>
    withOutput(undefined, async (output) => {
      let count = 0;
      for await (const finding of findingsIn(store, ids)) {
        count++;
        await output.write(`${printable(finding.join(': '))}\n`);
      }
      return count;
    }),
  );
}

async function* findingsIn(store: Store, ids: readonly string[]): AsyncGenerator<Finding, void, undefined> {
  const files = new Set<string>();
  for await (const id of idsOf(store.storage, ids)) {
    files.add(`${fileName(id)}.jsonl`);
    const session = `session ${JSON.stringify(id)}`;
    for await (const finding of findingsOf(store.storage, id)) yield [session, ...finding];
  }
  if (store.kind === 'jsonl' && ids.length === 0) yield* strayFiles(store, files);
}

/** Files that should be sessions, and cannot be listed. */
async function* strayFiles(
  { target, name }: Store,
  known: ReadonlySet<string>,
): AsyncGenerator<Finding, void, undefined> {
  for (const file of (await readdir(target)).toSorted())
    if (file.endsWith('.jsonl') && !file.startsWith('.') && !known.has(file))
      yield [
        `${name}/${file}`,
        'damaged',
        'its first line does not say which session it holds, or another one than its name',
      ];
}

/** What ends the reading of a session is found too. */
async function* findingsOf(storage: SessionStorage, id: string): AsyncGenerator<Finding, void, undefined> {
  try {
    yield* problemsOf(storage, id);
    yield* unreadableIn(storage, id);
    yield* brokenTurnsIn(storage, id);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    yield [error.code.toLowerCase().replaceAll('_', '-'), error.message];
  }
}

async function* problemsOf(storage: SessionStorage, id: string): AsyncGenerator<Finding, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await storage.problems(id, cursor === undefined ? {} : { cursor });
    for (const { where, kind, detail } of page.items) yield [where, kind, detail];
    cursor = page.next;
  }
}

async function* unreadableIn(storage: SessionStorage, id: string): AsyncGenerator<Finding, void, undefined> {
  for await (const page of nodePages(storage, id))
    for (const node of page)
      if (node.type === MESSAGE && readable(node) === undefined)
        yield [`message ${JSON.stringify(node.id)}`, 'damaged', 'expected a message, got something else'];
}

/** Each branch by itself, and in it each section: a call and its answers stand in one. */
async function* brokenTurnsIn(storage: SessionStorage, id: string): AsyncGenerator<Finding, void, undefined> {
  const seen = new Set<string>();
  const told = new Set<string>();
  for await (const leaves of nodePages(storage, id, { leaves: true }))
    for (const { id: leaf } of leaves) {
      const path = await endOf(storage, id, leaf, seen);
      for (const finding of brokenTurnsOf(path, seen)) {
        const line = finding.join(': ');
        if (!told.has(line)) yield finding;
        told.add(line);
      }
      for (const node of path) seen.add(node.id);
    }
}

/** How much of what was looked at already is looked at again, so that turns are whole. */
const OVERLAP = 64;

/** The end of a branch: what was not looked at yet, and some of what lies above it. */
async function endOf(storage: SessionStorage, session: string, to: string, seen: ReadonlySet<string>) {
  for (let limit = 2 * OVERLAP; ; limit *= 4) {
    const { items } = await pathAll(storage, session, { to, limit });
    const isEnough = items.slice(0, OVERLAP).every(({ id }) => seen.has(id));
    if (isEnough || items.length < limit) return items;
  }
}

/** Of what was looked at already only calls are told, which have no answer in this branch. */
function brokenTurnsOf(path: readonly StoredNode[], seen: ReadonlySet<string>): Finding[] {
  return messagesBySection(path).flatMap((messages) =>
    validate(messages).flatMap(({ at, code, message }) => {
      const id = messages[at]?.id ?? '';
      const isNews = !seen.has(id) || code === 'missing_tool_answer';
      return isNews ? [[`message ${JSON.stringify(id)}`, code, message]] : [];
    }),
  );
}

/** Answers at the beginning, whose call lies above, are left out. */
function messagesBySection(path: readonly StoredNode[]): (readonly Message[])[] {
  const isWhole = path[0]?.parentId === null;
  const sections = new Map<string, Message[]>(path.map(({ section }) => [section, []]));
  for (const node of path) {
    const message = readable(node);
    if (message !== undefined) sections.get(node.section)?.push(message);
  }
  return [...sections.values()].map((messages) => (isWhole ? messages : withoutStrayAnswers(messages)));
}
