import { loadStore } from '../../storage/load-store.ts';
import type { SessionStorage } from '../../storage/storage.ts';
import { type Output, withOutput } from '../output.ts';
import { exportSession } from './export-session.ts';
import { withStore } from './open-store.ts';
import { idsOf } from './read-store.ts';

/** The options of `sessions export`. */
export interface ExportOptions {
  /** `session`: all there is, for `import`; `store`: store documents. */
  readonly to: 'session' | 'store';
  /** Of store documents: only the active branch. */
  readonly pathOnly?: boolean;
  readonly out?: string;
}

/** Prints sessions as JSON Lines, all where none is named. A page is in memory at a time, save of store documents. */
export async function exportSessions(text: string, ids: readonly string[], options: ExportOptions): Promise<void> {
  const print = options.to === 'store' ? exportStore : exportSession;
  await withStore(text, 'read', ({ storage }) =>
    withOutput(options.out, async (output) => {
      for await (const id of idsOf(storage, ids)) await print(storage, id, output, options);
    }),
  );
}

async function exportStore(
  storage: SessionStorage,
  id: string,
  output: Output,
  { pathOnly = false }: ExportOptions,
): Promise<void> {
  const { store } = await loadStore(storage, id, { pathOnly });
  await output.write(`${JSON.stringify(store)}\n`);
}
