import { newId } from '../../internal/ids.ts';
import { platform } from '../../internal/platform.ts';
import type { Op, SessionInit, SessionStorage } from '../../storage/storage.ts';
import { fail } from './check.ts';
import type { Need, SpawnedProgram, StorageCase, StorageHarness } from './harness.ts';
import { SessionUnderTest } from './session.ts';

/** Where a case runs: its own session ids, and the instances that it opened. */
export class Place {
  readonly harness: StorageHarness;
  /** What the ids of the case's sessions begin with. */
  readonly prefix: string;
  readonly #opened: SessionStorage[] = [];
  #first: Promise<SessionStorage> | undefined;

  constructor(harness: StorageHarness, prefix: string) {
    this.harness = harness;
    this.prefix = prefix;
  }

  /** An instance, the same each time. */
  async storage(): Promise<SessionStorage> {
    return (this.#first ??= this.open());
  }

  /** One more instance over the place. */
  async open(): Promise<SessionStorage> {
    const storage = await this.harness.open();
    this.#opened.push(storage);
    return storage;
  }

  /** Another instance where there can be one, so that what is read was kept; else the same. */
  async again(): Promise<SessionStorage> {
    return this.harness.can?.reopen === true ? this.open() : this.storage();
  }

  /** A session with these changes made. */
  async session(ops: readonly Op[] = [], init?: SessionInit): Promise<SessionUnderTest> {
    const session = new SessionUnderTest(await this.storage(), this.id());
    await session.storage.create(session.id, init);
    if (ops.length > 0) await session.commit(ops);
    return session;
  }

  /** An id that no other session has. */
  id(name: string = newId()): string {
    return this.prefix + name;
  }

  spawn(program: string, ...args: readonly string[]): SpawnedProgram {
    return this.harness.spawn?.(program, args) ?? fail('the harness cannot start another process');
  }

  /** Closes what was opened, where that takes nothing away from others. */
  async leave(): Promise<void> {
    if (this.harness.can?.reopen === true) for (const storage of this.#opened) await storage[Symbol.asyncDispose]();
  }
}

/** A case of the suite. */
export function storageCase(
  id: string,
  title: string,
  run: (place: Place) => Promise<void>,
  needs: readonly Need[] = [],
): StorageCase {
  return Object.freeze({
    id,
    title,
    needs,
    async run(harness: StorageHarness) {
      const place = new Place(harness, `${id}-${newId()}-`);
      try {
        await run(place);
      } finally {
        await place.leave();
      }
    },
  });
}

/** Waits some milliseconds. */
export async function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    platform.setTimeout(resolve, milliseconds);
  });
}
