/** What `read` makes of all items of a list; undefined where it can make nothing of one, and where there is none. */
export function readAll<T>(list: unknown, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const all: T[] = [];
  for (const item of list as readonly unknown[]) {
    const one = read(item);
    if (one === undefined) return undefined;
    all.push(one);
  }
  return all;
}
