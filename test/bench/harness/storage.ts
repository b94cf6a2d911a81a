/** Places on disk for the lines of storages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs something with a folder of its own, in `BENCH_DIR` or where the system keeps such; it is gone afterwards. */
export async function inFolder(run: (path: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'message-store-bench-'));
  try {
    await run((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
