import type { LogEntry } from '../session-state.ts';
import type { Line } from './lines.ts';

/** A line whose commit adds nodes and does nothing else. */
export interface PlainLine {
  readonly start: number;
  /** Its length without the line's end. */
  readonly length: number;
  readonly count: number;
}

/** How many numbers stand for a line: its first place in the order, its start, its length, and its count. */
const FIELDS = 4;

/** Where the lines are that add nodes and do nothing else; as numbers in one list, since there may be one for each node. */
export class PlainLines {
  readonly #fields: number[] = [];

  note({ seq, ops }: LogEntry, { start, bytes }: Pick<Line, 'start' | 'bytes'>): void {
    this.#fields.push(seq, start, bytes.length, ops.length);
  }

  /** The line whose first node has this place in the order. O(log n) */
  at(seq: number): PlainLine | undefined {
    const fields = this.#fields;
    let [low, high] = [0, fields.length / FIELDS];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((fields[middle * FIELDS] as number) < seq) low = middle + 1;
      else high = middle;
    }
    const [first, start, length, count] = fields.slice(low * FIELDS, (low + 1) * FIELDS);
    return first === seq ? ({ start, length, count } as PlainLine) : undefined;
  }
}
