/**
 * Times cases side by side. Every round times every case once, in a shuffled order, and a ratio is the median over
 * the rounds of (case / baseline) in the same round, so that drift of the machine cancels out. Times are CPU time of
 * the process, garbage collection threads included, so that waiting for a busy core does not count; where waiting is
 * the point (a disk), the wall clock.
 */
import { cpus } from 'node:os';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
/** How many rounds; each line gives its own number as the default. */
export const rounds = (fallback: number): number => setting('BENCH_ROUNDS', fallback);
const MIN_MS = setting('BENCH_MIN_MS', 10);
const WARM_MS = setting('BENCH_WARM_MS', 300);
/** A sample that takes longer than this is taken less often. */
const CAP_MS = setting('BENCH_CAP_MS', 1500);

/** What is timed: a function, or one with what it needs. */
export type Case = ((...args: never[]) => unknown) | CaseOptions;

export interface CaseOptions {
  /** Called with what `setup` gave, and with the number of the call within the sample. */
  readonly run: (arg: never, call: number) => unknown;
  /** Makes what one sample needs; not timed. */
  readonly setup?: (calls: number) => unknown;
  readonly isAsync?: boolean;
  /** Calls in one sample; else as many as fill the least time. */
  readonly calls?: number;
  /** Another case to be compared with than the baseline of the group. */
  readonly baseline?: string;
  /** Operations in one call; else those of the group. */
  readonly ops?: number;
}

export interface Group {
  readonly baseline: string;
  readonly cases: Readonly<Record<string, Case | undefined>>;
  /** Operations in one call: times are told for one. */
  readonly ops?: number;
  readonly unit?: string;
  readonly rounds?: number;
  readonly minMs?: number;
  /** Default: CPU time. */
  readonly clock?: 'cpu' | 'wall';
  /** Holds the last result of each case between samples (default), as an application would; off for huge ones. */
  readonly keep?: boolean;
}

export interface Result {
  readonly name: string;
  /** The median time of one operation, in nanoseconds. */
  readonly ns: number;
  /** The median of its ratio to the baseline. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

interface Running {
  readonly name: string;
  readonly options: CaseOptions;
  readonly ops: number;
  readonly times: Map<number, number>;
  calls: number;
  everyRounds: number;
  held: unknown;
}

/**
 * Collects garbage; the process needs `--expose-gc`. Samples are separated by collections of the young generation
 * only: a full one also forgets the hidden classes that have no instance at that moment and, with them, optimised
 * code, so that each sample would time the compiler instead (several times slower; no application collects like that).
 */
export function collect(type: 'minor' | 'major'): void {
  const { gc } = globalThis as { gc?: (options: { type: string }) => void };
  if (gc === undefined) throw new Error('run with node --expose-gc');
  gc({ type });
}

let uid = 0;

/**
 * A function of its own from source text. Closures of one literal share what the compiler learns about them, so a
 * loop that makes the same closure for six list types would time six megamorphic call sites.
 */
export function isolated(source: string, scope: Readonly<Record<string, unknown>> = {}): () => unknown {
  const make = new Function(...Object.keys(scope), `"use strict"; return (${source}); /* ${uid++} */`);
  return make(...Object.values(scope)) as () => unknown;
}

/** Times the cases of a group, prints a table, and gives the results by name. */
export async function compare(title: string, group: Group): Promise<Record<string, Result>> {
  collect('major');
  const running = Object.entries(group.cases).flatMap(([name, given]) => (given ? [start(name, given, group)] : []));
  for (const one of running) await warmUp(one, group);
  await measure(running, group);
  const results = running.map((one) => resultOf(one, running, group));
  print(title, group, results);
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

function start(name: string, given: Case, group: Group): Running {
  const options = typeof given === 'function' ? { run: given as CaseOptions['run'] } : given;
  const ops = options.ops ?? group.ops ?? 1;
  return { name, options, ops, times: new Map(), calls: options.calls ?? 1, everyRounds: 1, held: undefined };
}

/** Runs a case until it is compiled, and finds how many calls fill a sample. */
async function warmUp(one: Running, group: Group): Promise<void> {
  const { minMs = MIN_MS, rounds: count = rounds(9) } = group;
  const isFixed = one.options.calls !== undefined;
  let time = await sample(one, group);
  for (let spent = time; spent < WARM_MS || (!isFixed && time < minMs);) {
    if (!isFixed && time < minMs) one.calls = moreCalls(one.calls, time, minMs);
    const began = performance.now();
    time = await sample(one, group);
    spent += Math.max(time, (performance.now() - began) / 2);
  }
  if (time > CAP_MS / 4) one.everyRounds = Math.ceil(count / 3);
}

function moreCalls(calls: number, time: number, minMs: number): number {
  const wanted = Math.ceil((calls * minMs * 1.2) / Math.max(time, 0.02));
  return Math.max(calls + 1, Math.min(calls * 10, wanted));
}

async function measure(running: readonly Running[], group: Group) {
  const { rounds: count = rounds(9) } = group;
  for (let round = 0; round < count; round++) {
    for (const one of shuffled(running, round)) {
      if (round % one.everyRounds > 0) continue;
      one.times.set(round, await sample(one, group));
    }
  }
  for (const one of running) one.held = undefined;
}

async function sample(one: Running, { keep = true, clock = 'cpu' }: Group): Promise<number> {
  const { calls } = one;
  const { run, setup, isAsync } = one.options;
  const arg = (await setup?.(calls)) as never;
  collect('minor');
  let last: unknown;
  const before = process.cpuUsage();
  const began = performance.now();
  if (isAsync) for (let call = 0; call < calls; call++) last = await run(arg, call);
  else for (let call = 0; call < calls; call++) last = run(arg, call);
  const waited = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  one.held = keep ? last : undefined;
  return clock === 'wall' ? waited : (user + system) / 1000;
}

/** Deterministic: no case always runs right after the collection. */
function shuffled<T>(list: readonly T[], round: number): T[] {
  const out = [...list];
  let seed = 0x9e3779b9 * (round + 1);
  for (let at = out.length - 1; at > 0; at--) {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
    seed ^= seed >>> 12;
    const other = (seed >>> 0) % (at + 1);
    [out[at], out[other]] = [out[other] as T, out[at] as T];
  }
  return out;
}

function resultOf(one: Running, all: readonly Running[], group: Group): Result {
  const baseline = all.find(({ name }) => name === (one.options.baseline ?? group.baseline));
  if (baseline === undefined) throw new Error(`${one.name}: there is no baseline`);
  const perOp = ({ calls, ops }: Running, ms: number): number => (ms * 1e6) / calls / ops;
  const times = [...one.times.values()].map((ms) => perOp(one, ms));
  const usual = median([...baseline.times.values()].map((ms) => perOp(baseline, ms)));
  const ratios = [...one.times].map(([round, ms]) => {
    const base = baseline.times.get(round);
    return perOp(one, ms) / (base === undefined ? usual : perOp(baseline, base));
  });
  return {
    name: one.name,
    ns: median(times),
    ratio: median(ratios),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
    samples: times.length,
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at % 1);
}

function print(title: string, { unit = 'call', baseline, cases, clock = 'cpu' }: Group, results: readonly Result[]): void {
  console.log(`\n### ${title}\n`);
  console.log(`| case | ${clock === 'cpu' ? 'CPU time' : 'time'} per ${unit} | ratio to ${baseline} | p25–p75 | samples |\n|---|---|---|---|---|`);
  for (const { name, ns, ratio, low, high, samples } of results) {
    const own = (cases[name] as Partial<CaseOptions>).baseline;
    const to = own === undefined ? '' : ` (to ${own})`;
    console.log(`| ${name} | ${time(ns)} | ${times(ratio)}${to} | ${times(low)}–${times(high)} | ${samples} |`);
  }
}

/** Nanoseconds as one reads them. */
export function time(ns: number): string {
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(2)} ms`;
  return ns >= 1e3 ? `${(ns / 1e3).toFixed(2)} µs` : `${ns.toFixed(1)} ns`;
}

/** A ratio as one reads it. */
export function times(ratio: number): string {
  if (ratio < 0.1) return `${ratio.toPrecision(2)}×`;
  return `${ratio.toFixed(ratio < 10 ? 2 : ratio < 100 ? 1 : 0)}×`;
}

/** On what was measured. */
export function machine(): string {
  return `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
}
