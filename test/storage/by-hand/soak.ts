/**
 * Minutes of mixed load, and what it costs: `node soak.ts [minutes] [jsonl | sqlite]`.
 *
 * Each minute it prints memory (after a collection), open descriptors and calls; at the end how they have grown since
 * the first minute, and whether every session holds what was acknowledged.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Sessions, type SessionStorage } from '../../../src/index.ts';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { sqliteStorage } from '../../../src/storage/sql/index.ts';
import { SoakSession } from './soak-session.ts';

const MINUTE = 60_000;
/** Between two steps of a session: the load is to be long, not heavy. */
const PAUSE = 20;
const SESSIONS = 4;

/** A small cache, so that it is full soon. */
const KINDS: Readonly<Record<string, (folder: string) => SessionStorage>> = {
  jsonl: (folder) => jsonlStorage(join(folder, 'sessions'), { cacheBytes: 2 ** 24 }),
  sqlite: (folder) => sqliteStorage(join(folder, 'sessions.db')),
};

interface Place {
  readonly kind: string;
  readonly instances: readonly [Sessions, Sessions];
  readonly sessions: readonly SoakSession[];
  readonly failures: unknown[];
}

interface Figures {
  readonly rss: number;
  /** What V8 has reserved: it keeps much of it between collections. */
  readonly reserved: number;
  readonly heap: number;
  readonly descriptors: number;
}

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

function figures(): Figures {
  collect();
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  const [mib, descriptors] = [2 ** 20, readdirSync('/proc/self/fd').length];
  return { rss: rss / mib, reserved: heapTotal / mib, heap: heapUsed / mib, descriptors };
}

function printed({ rss, reserved, heap, descriptors }: Figures): string {
  const [all, ofHeap, used] = [rss, reserved, heap].map((mib) => `${mib.toFixed(1)} MiB`);
  return `RSS ${all}, of it heap ${ofHeap}, used ${used}, ${descriptors} descriptors`;
}

async function openPlace(kind: string, folder: string): Promise<Place> {
  const open = () => new Sessions(KINDS[kind]!(folder));
  const instances = [open(), open()] as const;
  const sessions = Array.from({ length: SESSIONS }, (_, at) => new SoakSession(`${kind}-${at}`, instances));
  for (const session of sessions) await session.create();
  return { kind, instances, sessions, failures: [] };
}

/** A session whose step has failed is left as it is: what it holds is not known any more. */
async function load(session: SoakSession, failures: unknown[], until: number): Promise<void> {
  try {
    for (; Date.now() < until; await pause(PAUSE * 2 * Math.random())) await session.step();
  } catch (error) {
    console.error(error);
    failures.push(error);
  }
}

const callsOf = ({ sessions }: Place): number => sessions.reduce((sum, { calls }) => sum + calls, 0);

async function watch(places: readonly Place[], minutes: number): Promise<void> {
  console.log(`start: ${printed(figures())}`);
  const found: Figures[] = [];
  while (found.length < minutes) {
    const [before, used] = [places.map(callsOf), process.cpuUsage()];
    await pause(MINUTE);
    found.push(figures());
    const calls = places.map((place, at) => callsOf(place) - before[at]!);
    const speed = speeds(places, calls, process.cpuUsage(used));
    console.log(`minute ${found.length}: ${printed(found.at(-1)!)}, ${speed}`);
  }
  printGrowth(found[0]!, found.at(-1)!);
}

/** Calls by the clock, which depends on what else the machine does, and the processor's time for each, which depends less. */
function speeds(places: readonly Place[], calls: readonly number[], { user, system }: NodeJS.CpuUsage): string {
  const each = places.map(({ kind }, at) => `${kind} ${Math.round(calls[at]! / 60)} calls/s`);
  const time = (user + system) / 1000 / calls.reduce((a, b) => a + b, 0);
  return `${each.join(', ')}, ${time.toFixed(1)} ms of processor a call`;
}

function printGrowth(first: Figures, last: Figures): void {
  const grown = (of: keyof Figures) => last[of] - first[of];
  const growth = {
    rss: grown('rss'),
    reserved: grown('reserved'),
    heap: grown('heap'),
    descriptors: grown('descriptors'),
  };
  console.log(`growth since minute 1: ${printed(growth)}`);
}

/** Both instances, and a third one that has seen nothing of it. */
async function check({ kind, instances, sessions, failures }: Place, folder: string): Promise<boolean> {
  const fresh = new Sessions(KINDS[kind]!(folder));
  let [lost, strange, messages] = [0, 0, 0];
  for (const session of sessions) {
    messages += session.size;
    for (const instance of [...instances, fresh]) {
      const differences = await session.differences(instance);
      lost += differences.lost;
      strange += differences.strange;
    }
  }
  for (const instance of [...instances, fresh]) await instance[Symbol.asyncDispose]();
  const calls = sessions.reduce((sum, session) => sum + session.calls, 0);
  console.log(
    `${kind}: ${calls} calls, ${failures.length} failed, ${messages} messages at the end, ${lost} lost, ${strange} strange`,
  );
  return failures.length + lost + strange === 0;
}

async function soak(minutes: number, kinds: readonly string[], folder: string): Promise<boolean> {
  const places = await Promise.all(kinds.map((kind) => openPlace(kind, folder)));
  const until = Date.now() + minutes * MINUTE;
  const loads = places.flatMap(({ sessions, failures }) => sessions.map((session) => load(session, failures, until)));
  await Promise.all([watch(places, minutes), ...loads]);
  const results = [];
  for (const place of places) results.push(await check(place, folder));
  console.log(`closed: ${printed(figures())}`);
  return results.every(Boolean);
}

const [minutes = '10', kind] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = (await soak(Number(minutes), kind === undefined ? Object.keys(KINDS) : [kind], folder)) ? 0 : 1;
