import type { OpenReport } from '../open-report.ts';
import { CallNames } from './call-names.ts';
import type { AnthropicOptions } from './encode.ts';
import type { AnthropicCacheControl } from './wire.ts';

/** What may have a cache mark. */
interface Markable {
  cache_control?: unknown;
}

const MAX_MARKS = 4;

/** A request while its messages are encoded. */
export class Request {
  readonly report: OpenReport;
  readonly options: AnthropicOptions;
  readonly names = new CallNames();
  /** Whether instructions go out before what they stood behind. */
  isReordered = false;
  /** Where a message stands in what was given: `messages[3]`. */
  readonly pathOf: (index: number) => string;
  /** What has a cache mark, and the block that it is or stands in: `messages[3].content[1]`. */
  readonly #marked = new Map<Markable, string>();

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
    for (const one of markedIn([block])) if (!this.#marked.has(one)) this.#marked.set(one, path);
  }

  /** Leaves only the last marks, as many as a request may have: "A maximum of 4 blocks with cache_control may be provided". */
  settleMarks(instructions: readonly object[], said: readonly object[]): void {
    if (this.#marked.size === 0) return;
    const most = Math.min(this.options.cacheMarks ?? MAX_MARKS, MAX_MARKS);
    const marked = markedIn([...instructions, ...said]);
    for (const block of marked.splice(0, Math.max(0, marked.length - most))) {
      delete block.cache_control;
      this.#lose(block, 'cache-marks', 'dropped', `this wire has ${most} cache marks: left out`);
    }
    if (this.isReordered) this.#lengthen(marked, markedIn(instructions).length);
  }

  /** Lets the marks of instructions, the first ones, live as long as those behind them: longer lifetimes come first ("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"). */
  #lengthen(marked: readonly Markable[], first: number): void {
    const lastLong = marked.findLastIndex((block) => markOf(block).ttl === '1h');
    for (const block of marked.slice(0, Math.max(0, Math.min(first, lastLong)))) {
      if (markOf(block).ttl === '1h') continue;
      block.cache_control = { ...markOf(block), ttl: '1h' };
      this.#lose(block, 'cache-lifetime', 'degraded', 'lives 1h, as a cache mark behind it does');
    }
  }

  #lose(block: Markable, rule: string, action: 'dropped' | 'degraded', message: string): void {
    this.report.lose(this.#marked.get(block) as string, rule, action, message);
  }
}

function markOf({ cache_control: mark }: Markable): AnthropicCacheControl {
  return mark as AnthropicCacheControl;
}

/** What has a cache mark in these blocks, in their order; the input of a tool is none of ours. */
function markedIn(values: readonly object[], marked: Markable[] = []): Markable[] {
  for (const value of values)
    for (const key in value) {
      const inner: unknown = value[key as never];
      if (typeof inner !== 'object' || inner === null || key === 'input') continue;
      if (key === 'cache_control') marked.push(value);
      else markedIn([inner], marked);
    }
  return marked;
}
