import { DEFAULT_LIMITS, type Limits } from '../check-commit.ts';
import type { FileSystem } from './files.ts';
import * as fs from 'node:fs';

/** How a storage in files is to be. */
export interface JsonlStorageOptions extends Partial<Limits> {
  /**
   * When a commit is brought to the disk: `commit` before it is acknowledged (default; a tenth of a millisecond to
   * ten, after the disk), `interval` together with the others of up to `intervalMs` before all of them are
   * acknowledged, `none` when the system pleases: a loss of power can take the last seconds.
   */
  readonly sync?: 'commit' | 'interval' | 'none';
  /** How long commits are gathered with `sync: 'interval'`, in milliseconds; default: 100. */
  readonly intervalMs?: number;
  /** How much memory sessions may take between calls, in bytes, roughly; default: 64 MiB. The last one used is always kept. */
  readonly cacheBytes?: number;
  /** Reads files of a newer format as far as they can be understood; they are never written to. Default: false, they are refused. */
  readonly readNewer?: boolean;
  /** @internal Replaces the functions of `node:fs`, so that tests can make them fail. */
  readonly fs?: FileSystem;
}

const DEFAULTS = {
  ...DEFAULT_LIMITS,
  sync: 'commit',
  intervalMs: 100,
  cacheBytes: 64 * 2 ** 20,
  readNewer: false,
  fs,
} as const;

/** The options, with what is left out. */
export function withDefaults(options: JsonlStorageOptions): Required<JsonlStorageOptions> {
  return { ...DEFAULTS, ...options };
}
