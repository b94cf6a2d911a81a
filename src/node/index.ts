/**
 * What needs Node: media from files.
 *
 * @module
 */
import { basename } from 'node:path';
import { AudioSource, audioFormat } from '../model/audio-source.ts';
import { type FileOptions, FileSource } from '../model/file-source.ts';
import { type ImageOptions, ImageSource } from '../model/image-source.ts';
import { readTypedFile } from './read-file.ts';

/**
 * An image from a file; its MIME type is told by the file's name unless it is given.
 *
 * @throws MessageStoreError `unreadable_file`, or `missing_package` when the package `mime` is not installed
 */
export async function imageFromFile(path: string, options: ImageOptions = {}): Promise<ImageSource> {
  const { bytes, mimeType } = await readTypedFile(path, options.mimeType);
  return ImageSource.fromBytes(bytes, mimeType, options);
}

/**
 * A file's data under its base name; its MIME type is told by the name unless it is given.
 *
 * @throws MessageStoreError `unreadable_file`, or `missing_package` when the package `mime` is not installed
 */
export async function fileFromFile(path: string, options: FileOptions = {}): Promise<FileSource> {
  const { bytes, mimeType } = await readTypedFile(path, options.mimeType);
  return FileSource.fromBytes(bytes, mimeType, { fileName: options.fileName ?? basename(path) });
}

/**
 * Audio from a file; its format is told by the file's name unless it is given.
 *
 * @throws MessageStoreError `unreadable_file`, or `missing_package` when the package `mime` is not installed
 */
export async function audioFromFile(path: string, options: { readonly format?: string } = {}): Promise<AudioSource> {
  const { bytes, mimeType } = await readTypedFile(path, options.format && `audio/${options.format}`);
  return AudioSource.fromBytes(bytes, options.format ?? audioFormat(mimeType));
}
