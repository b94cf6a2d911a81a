import type { OpenReport } from '../open-report.ts';
import type { Turn } from './request-builder.ts';

/** A block with a cache mark, and where it comes from. */
interface Marked {
  readonly block: { cache_control?: unknown };
  readonly path: string;
}

/** Leaves only the last marks, as many as a request may have: "A maximum of 4 blocks with cache_control may be provided". */
export function limitCacheMarks(turns: readonly Turn[], report: OpenReport, limit = 4): void {
  const marked: Marked[] = [];
  for (const { blocks } of turns) for (const { block, path } of blocks) collect(block, path, marked);
  marked.forEach(({ block, path }, at) => {
    if (at >= marked.length - limit) return;
    delete block.cache_control;
    report.lose(path, 'cache-marks', 'dropped', `this wire has ${limit} cache marks: left out`);
  });
}

/** The marks of a block and of what it holds; the input of a tool is none of ours. */
function collect(block: object, path: string, marked: Marked[]): void {
  for (const [key, value] of Object.entries(block) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null || key === 'input') continue;
    if (key === 'cache_control') marked.push({ block, path });
    else collect(value, path, marked);
  }
}
