interface Sliceable<Self> {
  readonly size: number;
  slice(from: number, to: number): Self;
}

/** The items from `from` to `to` (exclusive), as far as they lie within; itself where that is all. */
export function clampedSlice<Run extends Sliceable<Run>>(run: Run, from: number, to: number): Run {
  const start = clamp(from, run.size);
  const end = clamp(to, run.size);
  return start === 0 && end === run.size ? run : run.slice(start, end);
}

/** A position within 0 … size. */
function clamp(position: number, size: number): number {
  return Math.min(Math.max(position, 0), size);
}
