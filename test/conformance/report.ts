import { type Result, show } from './result.ts';

/** How many cases there were of each status, and what kept others from running. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly problems: readonly string[];
}

/** Collects results and prints them: failures as they come, then a line per area, the reasons for skips, the totals. */
export class Report {
  private readonly results: Result[] = [];
  private readonly problems: string[] = [];
  private readonly print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.print = print;
  }

  /** Something that is wrong with the run itself. */
  problem(text: string): void {
    this.problems.push(text);
    this.print(`error: ${text}`);
  }

  add(result: Result): void {
    this.results.push(result);
    if (result.status !== 'failed') return;
    this.print(`FAILED ${result.id}${result.reason === undefined ? '' : `: ${result.reason}`}`);
    if (!('got' in result)) return;
    this.print(`  expected ${show(result.expected)}`);
    this.print(`  got      ${show(result.got)}`);
  }

  close(): Totals {
    for (const [area, results] of grouped(this.results, (result) => result.area))
      this.print(`${area}: ${sentence(results)}`);
    const skipped = this.results.filter((result) => result.status === 'skipped');
    for (const [reason, results] of grouped(skipped, (result) => result.reason ?? 'no reason'))
      this.print(`skipped ${results.length}: ${reason}`);
    this.print(sentence(this.results));
    return { ...count(this.results), problems: this.problems };
  }
}

function sentence(results: readonly Result[]): string {
  const { passed, failed, skipped } = count(results);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function count(results: readonly Result[]) {
  const of = (status: Result['status']) => results.filter((result) => result.status === status).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function grouped(results: readonly Result[], by: (result: Result) => string): Map<string, readonly Result[]> {
  return Map.groupBy(results, by);
}
