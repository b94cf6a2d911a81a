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

/**
 * The platform's own AbortSignal where its types are there, which is what `fetch` and the clients of providers take;
 * else as much of it as is needed.
 */
export type PlatformAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal extends AbortSignalLike
    ? Signal
    : AbortSignalLike
  : AbortSignalLike;

interface Platform {
  readonly performance: { now(): number };
  readonly AbortController: new () => { readonly signal: PlatformAbortSignal; abort(reason?: unknown): void };
  readonly TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string };
  setTimeout(run: () => void, milliseconds: number): unknown;
  btoa(binary: string): string;
  structuredClone<T>(value: T): T;
}

export const platform = globalThis as unknown as Platform;
