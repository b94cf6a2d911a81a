/**
 * What the core needs of its platform, declared structurally: no DOM library and no Node types are
 * needed to compile it. Node 22, browsers, Deno, Bun and edge runtimes all provide these.
 */
/** As much of an AbortSignal as is needed. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  /** Calls the listener when the signal aborts. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** Stops calling the listener. */
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface Platform {
  readonly performance: { now(): number };
  readonly AbortController: new () => { readonly signal: AbortSignalLike; abort(reason?: unknown): void };
  btoa(binary: string): string;
  structuredClone<T>(value: T): T;
}

export const platform = globalThis as unknown as Platform;
