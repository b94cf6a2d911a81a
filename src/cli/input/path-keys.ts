const STEP = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]]+)/gy;

/** The keys and indexes of a path as errors write it: `sections.chat[3].role` → `['sections', 'chat', 3, 'role']`. */
export function pathKeys(path: string): (string | number)[] {
  return [...path.matchAll(STEP)].map(([, index, quoted, name = '']) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? name : (JSON.parse(quoted) as string);
  });
}
