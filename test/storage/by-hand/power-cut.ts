/**
 * What a loss of power takes away, for each setting, or those with this in their name: `node power-cut.ts [rounds] [name]`,
 * as root on Linux.
 *
 * A process writes to a disk in an image file. At some moment it is stopped, and the image copied: what the disk had
 * been given by then. The copy is mounted, as a computer does that starts again, and compared with what was acknowledged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sessions, StoredNode } from '../../../src/index.ts';
import { scanAll } from '../../../src/storage/read-nodes.ts';
import { copyOf, newImage, removeImages, withMounted } from './disk.ts';
import { type Acknowledgement, messageOf } from './power-cut-writer.ts';
import { SETTINGS } from './settings.ts';

const WRITER = fileURLToPath(new URL('power-cut-writer.ts', import.meta.url));
/** When the power goes, in milliseconds after the first acknowledgement. */
const [EARLIEST, LATEST] = [100, 4000];
/** How many of each session's messages are appended once more, as a client does that has had no answer. */
const REPEATED = 10;

/** What was found behind the cuts. */
interface Tally {
  sessions: number;
  missingSessions: number;
  messages: number;
  missing: number;
  /** How many of the missing were acknowledged as `power-loss`, sessions among them. */
  brokenPromises: number;
  doubled: number;
  brokenChains: number;
}

const emptyTally = (): Tally => ({
  sessions: 0,
  missingSessions: 0,
  messages: 0,
  missing: 0,
  brokenPromises: 0,
  doubled: 0,
  brokenChains: 0,
});

async function round(setting: string, tally: Tally): Promise<void> {
  const image = newImage('disk');
  let copy = '';
  const acknowledged = await withMounted(image, (place) => cut(setting, place, () => (copy = copyOf(image))));
  await withMounted(copy, (place) => inspect(setting, place, acknowledged, tally));
  removeImages(image, copy);
}

/** What was acknowledged until the process was stopped; `atStop` is called then. */
async function cut(setting: string, place: string, atStop: () => void): Promise<Acknowledgement[]> {
  const args = ['--disable-warning=ExperimentalWarning', WRITER, setting, place];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(writer.stdout);
  const ended = new Promise((resolve) => writer.once('close', resolve));
  const kill = () => void writer.kill('SIGKILL');
  // Before the disk is taken away from under it.
  process.prependListener('exit', kill);
  try {
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    await pause(EARLIEST + Math.random() * (LATEST - EARLIEST));
    await stop(writer);
    atStop();
  } finally {
    kill();
    await ended;
    process.off('exit', kill);
  }
  const lines = (await printed).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Acknowledgement);
}

/** A process that waits for the disk stops only once it has its answer. */
async function stop({ pid }: ChildProcess): Promise<void> {
  process.kill(pid!, 'SIGSTOP');
  while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ')) await pause(1);
}

async function inspect(setting: string, place: string, acknowledged: readonly Acknowledgement[], tally: Tally) {
  const { sessions, close } = SETTINGS[setting]!(place);
  try {
    for (const [session, own] of Map.groupBy(acknowledged, (each) => each.session))
      await inspectSession(sessions, session, own, tally);
  } finally {
    await close();
  }
}

async function inspectSession(
  sessions: Sessions,
  session: string,
  acknowledged: readonly Acknowledgement[],
  tally: Tally,
): Promise<void> {
  const isThere = await sessions.hasSession(session);
  const nodes = isThere ? await scanAll(sessions.storage, session, {}) : [];
  const ids = new Set(nodes.map(({ id }) => id));
  const messages = acknowledged.flatMap(({ message }) => message ?? []);
  const missing = acknowledged.filter(({ message }) => !(message === undefined ? isThere : ids.has(message)));
  tally.sessions++;
  tally.missingSessions += isThere ? 0 : 1;
  tally.messages += messages.length;
  tally.missing += missing.filter(({ message }) => message !== undefined).length;
  tally.brokenPromises += missing.filter(({ durable }) => durable === 'power-loss').length;
  tally.brokenChains += isOneChain(nodes) ? 0 : 1;
  if (isThere) tally.doubled += await doubledBy(sessions, session, messages.slice(-REPEATED));
}

/** How many messages are there twice after these were appended once more. */
async function doubledBy(sessions: Sessions, session: string, messages: readonly string[]): Promise<number> {
  const append = (id: string) => sessions.append(session, 'chat', messageOf(id), { commitId: id });
  await Promise.all(messages.map(append));
  const nodes = await scanAll(sessions.storage, session, {});
  return nodes.length - new Set(nodes.map(({ id }) => id)).size;
}

const isOneChain = (nodes: readonly StoredNode[]): boolean =>
  nodes.every(({ parentId }, at) => parentId === (nodes[at - 1]?.id ?? null));

function print(setting: string, rounds: number, tally: Tally): void {
  const { sessions, missingSessions, messages, missing, brokenPromises, doubled, brokenChains } = tally;
  console.log(
    `${setting}: ${rounds} rounds, ${messages} messages acknowledged, ${missing} missing, ${doubled} doubled; ` +
      `${sessions} sessions created, ${missingSessions} missing, ${brokenChains} broken chains; ` +
      `${brokenPromises} missing although told power-loss`,
  );
}

async function cutAll(rounds: number, settings: readonly string[]): Promise<boolean> {
  let isHeld = true;
  for (const setting of settings) {
    const tally = emptyTally();
    for (let at = 0; at < rounds; at++) await round(setting, tally);
    print(setting, rounds, tally);
    isHeld &&= tally.brokenPromises + tally.doubled + tally.brokenChains === 0;
  }
  return isHeld;
}

const [rounds = '8', part = ''] = process.argv.slice(2);
const settings = Object.keys(SETTINGS).filter((setting) => setting.includes(part));
process.exitCode = (await cutAll(Number(rounds), settings)) ? 0 : 1;
