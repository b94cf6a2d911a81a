import type { OpenReport } from '../open-report.ts';
import { CallNames } from './call-names.ts';
import type { AnthropicOptions } from './encode.ts';

/** A request while its messages are encoded. */
export class Request {
  readonly report: OpenReport;
  readonly options: AnthropicOptions;
  readonly names = new CallNames();
  /** Where the blocks come from that may hold a cache mark: `messages[3].content[1]`. */
  readonly places = new Map<object, string>();
  readonly #placeOf: (index: number) => number;

  /** `placeOf`: where a message stands in what was given. */
  constructor(placeOf: (index: number) => number, report: OpenReport, options: AnthropicOptions) {
    this.#placeOf = placeOf;
    this.report = report;
    this.options = options;
  }

  /** Where a message stands in what was given: `messages[3]`. */
  pathOf(index: number): string {
    return `messages[${this.#placeOf(index)}]`;
  }

  /** Notes where a block comes from. */
  made(block: object, path: string): void {
    this.places.set(block, path);
    this.report.made(block, path);
  }
}
