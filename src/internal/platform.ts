/**
 * What the core needs of its platform, declared structurally: no DOM library and no Node types are
 * needed to compile it. Node 22, browsers, Deno, Bun and edge runtimes all provide these.
 */
interface Platform {
  readonly crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
  btoa(binary: string): string;
}

export const platform = globalThis as unknown as Platform;
