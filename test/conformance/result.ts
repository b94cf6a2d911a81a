/** What became of one case. */
export interface Result {
  readonly area: string;
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly expected?: unknown;
  /** What came; an Error where one was thrown. */
  readonly got?: unknown;
  /** Why it was skipped, or what is wrong where expected and got do not say it. */
  readonly reason?: string;
}

/** What a kind is told beside its files. */
export interface Context {
  /** Whether the cases are the project's own: only these show that a rule has become stale. */
  readonly isOwn: boolean;
}

/** A way to run the cases of one folder: what a module in `kinds/` exports. */
export interface Kind {
  run(files: readonly string[], context: Context): Iterable<Result> | AsyncIterable<Result>;
}

/** A value or an error on one line. */
export function show(value: unknown): string {
  return value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? 'undefined');
}
