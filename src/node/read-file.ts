import { readFile } from 'node:fs/promises';
import { MessageStoreError } from '../errors.ts';

/** A file's bytes and MIME type. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/**
 * Reads a file whose MIME type is told by its name, unless the caller tells it.
 *
 * @throws MessageStoreError `unreadable_file` when it cannot be read or its type is not known
 */
export async function readTypedFile(path: string, mimeType: string | undefined): Promise<ReadFile> {
  const bytes = await read(path);
  return { bytes, mimeType: mimeType ?? (await typeOf(path)) };
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new MessageStoreError('unreadable_file', `cannot read ${path}: ${(cause as Error).message}`, {
      value: path,
      cause,
    });
  }
}

async function typeOf(path: string): Promise<string> {
  const { default: mime } = await loadMime();
  const type = mime.getType(path);
  if (type !== null) return type;
  throw new MessageStoreError(
    'unreadable_file',
    `the MIME type of ${path} is not known from its name: pass it as the option mimeType`,
    { value: path },
  );
}

async function loadMime(): Promise<typeof import('mime')> {
  try {
    return await import('mime');
  } catch (cause) {
    throw new MessageStoreError(
      'missing_package',
      'MIME types by file name need the package "mime": run npm install mime, or pass the option mimeType',
      { cause },
    );
  }
}
