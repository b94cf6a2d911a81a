import { parseJsonText } from '../../internal/json-text.ts';
import { type FileSystem, readAt, withFile } from './files.ts';
import { isWhole } from './read-record.ts';
import type { LogIndex } from './session-log.ts';
import { sealed } from './write-record.ts';

/** The version of what is written; every other one is not read. */
const VERSION = 1;

/** An index as the one line of its file. */
export function indexLine(index: LogIndex): Buffer {
  return sealed(JSON.stringify({ index: VERSION, ...index }).slice(0, -1));
}

/** What an index's file says; undefined where there is none that can be used. */
export function readIndex(fs: FileSystem, path: string): LogIndex | undefined {
  try {
    const bytes = withFile(fs, path, 'read', (fd) => readAt(fs, fd, 0, fs.fstatSync(fd).size)).subarray(0, -1);
    if (!isWhole(bytes)) return undefined;
    const json = parseJsonText(bytes.toString()) as LogIndex & { readonly index: unknown };
    return json.index === VERSION ? json : undefined;
  } catch {
    return undefined;
  }
}
