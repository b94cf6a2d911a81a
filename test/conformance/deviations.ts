import { readFileSync } from 'node:fs';

/** A case of the vectors: see the fixtures. */
export interface Vector {
  readonly id: string;
  readonly area: string;
  readonly call: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly php_value?: unknown;
  readonly tolerant?: boolean;
}

/** Why a vector, or all vectors of one cause, may come out otherwise. */
export interface Deviation {
  /** The id of the one vector meant; without it the entry is a rule. */
  readonly vector?: string;
  /** A rule holds where everything it names matches, each a regular expression: the whole area, */
  readonly area?: string;
  /** a part of the id, the call or the input as JSON, */
  readonly pattern?: string;
  /** a part of what is expected, as JSON, */
  readonly expected?: string;
  /** a part of what came: JSON, or the message of the error. */
  readonly got?: string;
  /** False where running makes no sense, because what it needs is not there yet. */
  readonly run?: boolean;
  readonly reason: string;
}

const LIST = new URL('deviations.json', import.meta.url);

export function readDeviations(): readonly Deviation[] {
  return JSON.parse(readFileSync(LIST, 'utf8')) as readonly Deviation[];
}

/** Whether an entry speaks of a vector that came out as `got`. */
export function applies(deviation: Deviation, vector: Vector, got: string): boolean {
  if (deviation.vector !== undefined) return deviation.vector === vector.id;
  const tests: readonly (readonly [string | undefined, string])[] = [
    [deviation.area && `^(${deviation.area})$`, vector.area],
    [deviation.pattern, [vector.id, vector.call, JSON.stringify(vector.input)].join('\n')],
    [deviation.expected, JSON.stringify(vector.expected)],
    [deviation.got, got],
  ];
  return tests.every(([pattern, text]) => pattern === undefined || new RegExp(pattern).test(text));
}
