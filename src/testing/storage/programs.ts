import { MessageStoreError } from '../../errors.ts';
import { newId } from '../../internal/ids.ts';
import { platform } from '../../internal/platform.ts';
import type { JsonValue } from '../../schema/json.ts';
import type { SessionStorage } from '../../storage/storage.ts';
import { fail } from './check.ts';
import { pause } from './place.ts';
import { idsUpTo, node, SessionUnderTest } from './session.ts';

type Program = (session: SessionUnderTest, args: readonly string[]) => Promise<JsonValue>;

/** What the suite does in other processes, by name. The first argument of each is a session. */
const PROGRAMS: ReadonlyMap<string, Program> = /* @__PURE__ */ new Map<string, Program>([
  /** Creates the session with one node. */
  [
    'create',
    async (session) => {
      await session.storage.create(session.id);
      return (await session.append('first')).version;
    },
  ],
  /** Appends nodes, one a commit: what their ids begin with, how many, how large. */
  [
    'append',
    async (session, [prefix, count, bytes]) => {
      const text = 'x'.repeat(Number(bytes));
      for (const id of idsUpTo(Number(count), prefix)) await session.commit([node(id, { data: text })]);
      return Number(count);
    },
  ],
  /** Appends as `append` does, each at the version that was read before; gives how often that had changed. */
  [
    'append at version',
    async (session, [prefix, count]) => {
      let conflicts = 0;
      for (const id of idsUpTo(Number(count), prefix)) while (!(await appendedAtVersion(session, id))) conflicts++;
      return conflicts;
    },
  ],
  /** Appends until the process is killed. */
  [
    'append for ever',
    async (session, [prefix]) => {
      for (let at = 0; ; at++) {
        await session.append(`${prefix}${at}`);
        await pause(0);
      }
    },
  ],
  /** Appends a few nodes, and does nothing else for so many milliseconds while each one is written. */
  [
    'append and block',
    async (session, [prefix, milliseconds]) => {
      for (const id of idsUpTo(3, prefix)) {
        const append = session.append(id);
        block(Number(milliseconds));
        await append;
      }
      return 3;
    },
  ],
  /** Makes a commit of this id. */
  ['commit', async (session, [id = newId()]) => (await session.commit([node('once')], { id })).status],
]);

/**
 * What a program of the suite comes to in this process. The script that a {@link StorageHarness} spawns opens the
 * storage, calls this with the name and the arguments that it was given, and sends the result back as JSON.
 */
export async function runStorageProgram(
  program: string,
  storage: SessionStorage,
  args: readonly string[],
): Promise<JsonValue> {
  const [session = '', ...rest] = args;
  const run = PROGRAMS.get(program) ?? fail(`no program of the suite is called ${JSON.stringify(program)}`);
  return run(new SessionUnderTest(storage, session), rest);
}

async function appendedAtVersion(session: SessionUnderTest, id: string): Promise<boolean> {
  const { version } = await session.head();
  try {
    await session.commit([node(id)], { expect: { version } });
    return true;
  } catch (error) {
    if (MessageStoreError.isInstance(error) && error.code === 'CONFLICT') return false;
    throw error;
  }
}

/** Lets nothing else happen in this process. */
function block(milliseconds: number): void {
  const end = platform.performance.now() + milliseconds;
  while (platform.performance.now() < end);
}
