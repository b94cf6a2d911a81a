/** The storages that the conformance suite is run on: one entry each. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStorage, type SessionStorage } from 'message-store';
import { jsonlStorage } from 'message-store/storage/jsonl';
import type { StorageHarness } from 'message-store/testing';
import { spawnScript } from './spawn.ts';
import { databases, type TestDatabase } from './sql/support/databases.ts';

/** A place, and what removes it again. */
export type PlaceUnderTest = StorageHarness & { cleanup?(): Promise<void> };

/** A storage under test. */
export interface StorageUnderTest {
  readonly name: string;
  /** Or why it cannot be tested here. */
  readonly available: true | string;
  /** A new place that nobody has used. */
  make(): Promise<PlaceUnderTest>;
  /** How many random sequences of calls are tried; default: 100. */
  readonly sequences?: number;
}

/** All of them. */
export const storages: readonly StorageUnderTest[] = [
  { name: 'memory', available: true, make: async () => memoryHarness() },
  { name: 'jsonl', available: true, make: jsonlHarness },
  ...databases.map((database) => ({
    name: database.name,
    available: database.missing ?? (true as const),
    make: async () => databaseHarness(database),
    sequences: database.hasTime === true ? 50 : 15,
  })),
];

/** Whether a storage is a server of its own. */
export const isServer = (name: string): boolean => /^(PostgreSQL|MariaDB)/.test(name);

/** One memory that several instances look at, each closed on its own. */
export function memoryHarness(storage: SessionStorage = memoryStorage()): StorageHarness {
  return { open: async () => instanceOver(storage), can: { reopen: true, scale: true } };
}

/** An instance of its own over a storage that others use too: closing it closes nothing else. */
export function instanceOver(storage: SessionStorage): SessionStorage {
  const closed = memoryStorage();
  let own: SessionStorage = storage;
  const close = async () => {
    own = closed;
    await closed[Symbol.asyncDispose]();
  };
  return new Proxy(storage, {
    get(_, key: keyof SessionStorage) {
      if (key === Symbol.asyncDispose) return close;
      const member = own[key];
      return typeof member === 'function' ? (member as () => unknown).bind(own) : member;
    },
  });
}

async function jsonlHarness(): Promise<PlaceUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'message-store-'));
  return {
    open: async () => jsonlStorage(folder, { sync: 'none' }),
    can: { reopen: true, scale: true },
    spawn: (program, args) => spawnProgram('jsonl', folder, '', [program, ...args]),
    cleanup: () => rm(folder, { recursive: true, force: true }),
  };
}

function databaseHarness({ place: newPlace, kind, hasTime }: TestDatabase): PlaceUnderTest {
  const place = newPlace();
  return {
    open: async () => place.open(),
    can: { reopen: true, scale: hasTime === true || process.env['STORAGE_SCALE'] === 'all' },
    ...(kind && {
      spawn: (program: string, args: readonly string[]) =>
        spawnProgram(kind, place.target, place.prefix, [program, ...args]),
    }),
    cleanup: () => place.drop(),
  };
}

function spawnProgram(kind: string, target: string, prefix: string, args: readonly string[]) {
  return spawnScript(new URL('program.ts', import.meta.url), [kind, target, prefix, ...args]);
}
