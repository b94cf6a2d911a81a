/** The built library: that of this checkout, or of the one in `BENCH_ROOT`, to measure two against each other. */
import { pathToFileURL } from 'node:url';
import type * as Format from '../../../src/formats/openai-chat/index.ts';
import type * as Core from '../../../src/index.ts';
import type * as Jsonl from '../../../src/storage/jsonl/index.ts';
import type * as Sql from '../../../src/storage/sql/index.ts';
import type * as Internal from '../../../src/internal/persistent-list.ts';

const given = process.env['BENCH_ROOT'];
const root = given === undefined ? new URL('../../../', import.meta.url) : pathToFileURL(`${given}/`);

/** The address of a built file. */
export const built = (path: string): URL => new URL(`dist/${path}`, root);
/** The folder that holds `dist`, and the packages on which the library stands. */
export const ROOT = root.pathname;

export const core = (await import(built('index.js').href)) as typeof Core;
export const { openaiChat } = (await import(built('formats/openai-chat/index.js').href)) as typeof Format;
export const { PersistentList } = (await import(new URL('src/internal/persistent-list.ts', root).href)) as typeof Internal;

/** The storages that only Node has. */
export const storages = async () => ({
  jsonl: (await import(built('storage/jsonl/index.js').href)) as typeof Jsonl,
  sql: (await import(built('storage/sql/index.js').href)) as typeof Sql,
});
