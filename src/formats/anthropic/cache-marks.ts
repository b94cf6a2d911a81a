import type { Request } from './request.ts';
import type { Turn } from './request-builder.ts';

/** Leaves only the last marks, as many as a request may have: "A maximum of 4 blocks with cache_control may be provided". */
export function limitCacheMarks(
  turns: readonly Turn[],
  { report, places, options: { cacheMarks = 4 } }: Request,
): void {
  const marked: [block: { cache_control?: unknown }, path: string][] = [];
  const collect = (block: object, path: string): void => {
    for (const key in block) {
      const value: unknown = block[key as never];
      if (typeof value !== 'object' || value === null || key === 'input') continue;
      if (key === 'cache_control') marked.push([block, path]);
      else collect(value, path);
    }
  };
  for (const { blocks } of turns)
    for (const block of blocks) {
      const path = places.get(block);
      if (path !== undefined) collect(block, path);
    }
  for (const [block, path] of marked.slice(0, Math.max(0, marked.length - cacheMarks))) {
    delete block.cache_control;
    report.lose(path, 'cache-marks', 'dropped', `this wire has ${cacheMarks} cache marks: left out`);
  }
}
