/** A function that computes its value at the first call and remembers it: nothing happens on import. */
export function lazy<T>(compute: () => T): () => T {
  let cell: { readonly value: T } | undefined;
  return () => (cell ??= { value: compute() }).value;
}
