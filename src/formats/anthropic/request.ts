import type { OpenReport } from '../open-report.ts';
import { CallNames } from './call-names.ts';
import type { AnthropicOptions } from './encode.ts';

/** A request while its messages are encoded. */
export class Request {
  readonly report: OpenReport;
  readonly options: AnthropicOptions;
  readonly names = new CallNames();
  /** Where a message stands in what was given: `messages[3]`. */
  readonly pathOf: (index: number) => string;
  /** What has a cache mark, and the block that it is or stands in: `messages[3].content[1]`. */
  readonly #marked = new Map<{ cache_control?: unknown }, string>();

  /** `placeOf`: where a message stands in what was given. */
  constructor(placeOf: (index: number) => number, report: OpenReport, options: AnthropicOptions) {
    this.pathOf = (index) => `messages[${placeOf(index)}]`;
    this.report = report;
    this.options = options;
  }

  /** Notes where a block comes from, and its cache marks; the input of a tool is none of ours. */
  made(block: object, path: string, place: number | string = path): void {
    this.report.made(block, place);
    this.#note(block, path);
  }

  #note(block: object, path: string): void {
    for (const key in block) {
      const value: unknown = block[key as never];
      if (typeof value !== 'object' || value === null || key === 'input') continue;
      if (key !== 'cache_control') this.#note(value, path);
      else if (!this.#marked.has(block)) this.#marked.set(block, path);
    }
  }

  /** Leaves only the last marks, as many as a request may have: "A maximum of 4 blocks with cache_control may be provided". */
  limitMarks(): void {
    const { cacheMarks = 4 } = this.options;
    const marked = [...this.#marked];
    marked.forEach(([block, path], at) => {
      if (at >= marked.length - cacheMarks) return;
      delete block.cache_control;
      this.report.lose(path, 'cache-marks', 'dropped', `this wire has ${cacheMarks} cache marks: left out`);
    });
  }
}
