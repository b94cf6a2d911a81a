/**
 * The lines of the contract: what was measured against what must be reached. A file of `lines/` states its lines
 * here; `run.ts` gathers them from all files.
 */
import { time, times } from './compare.ts';

/** Between whole runs on a busy machine, figures that garbage collection dominates move by up to a half. */
const NOISE = 1.5;

export interface Line {
  readonly name: string;
  readonly value: number;
  /** The most that it may be. */
  readonly target: number;
  readonly unit: '×' | 'ns' | 'B' | 'KB';
  /** Dominated by garbage collection (10 000 messages and more): under `--check` it may be half as much again. */
  readonly isNoisy: boolean;
}

const stated: Line[] = [];

/** States a line. `size` is the number of messages that it was measured with. */
export function line(name: string, value: number, target: number, unit: Line['unit'] = '×', size = 0): void {
  stated.push({ name, value, target, unit, isNoisy: size >= 10_000 });
}

/** Hands the lines of this file over: to `run.ts`, or to the reader where the file was started by itself. */
export function done(): void {
  if (process.send) process.send(stated);
  else printLines(stated);
  process.disconnect?.();
}

/** What a line must keep to under `--check`. */
export function limit({ target, isNoisy }: Line): number {
  return isNoisy ? target * NOISE : target;
}

/** Whether a line is reached, is so within the noise, or falls short. */
export function verdict(one: Line): 'pass' | 'noise' | 'FAIL' {
  if (one.value <= one.target) return 'pass';
  return one.value <= limit(one) ? 'noise' : 'FAIL';
}

/** Prints lines as one table. */
export function printLines(all: readonly Line[]): void {
  console.log('\n| line | measured | target | limit of --check | |\n|---|---|---|---|---|');
  for (const one of all) {
    const figures = [one.value, one.target, limit(one)].map((value) => shown(value, one.unit));
    console.log(`| ${one.name} | ${figures.join(' | ')} | ${verdict(one)} |`);
  }
}

function shown(value: number, unit: Line['unit']): string {
  if (unit === '×') return times(value);
  return unit === 'ns' ? time(value) : `${value.toFixed(unit === 'B' ? 0 : 2)} ${unit}`;
}
