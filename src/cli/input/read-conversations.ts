import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MessageStore } from '../../model/message-store.ts';
import { at, Failure } from '../failure.ts';
import { parseDocuments } from './parse-documents.ts';
import { storeOf } from './store-of.ts';

/** One conversation of a file, and where in it it stands. */
export interface Conversation {
  readonly store: MessageStore;
  /** `chats.jsonl:7`, or the file where it holds only one. */
  readonly place: string;
}

/**
 * The conversations that a file holds, at least one: a prompt file, a store document, OpenAI chat JSON or JSONL,
 * each also gzipped. `-` is standard input.
 *
 * @throws Failure naming the file and the line or path
 */
export async function readConversations(file: string): Promise<Conversation[]> {
  const text = await readText(file);
  const documents = at(file, () => parseDocuments(text, file));
  if (isMessagePerLine(documents.map(({ value }) => value))) {
    const messages = documents.map(({ value }) => value);
    return [{ place: file, store: at(file, () => storeOf(messages)) }];
  }
  return documents.map(({ value, place }) => ({ place, store: at(place, () => storeOf(value)) }));
}

/** Whether lines are messages of one conversation, not conversations of their own. */
function isMessagePerLine(values: readonly unknown[]): boolean {
  return values.length > 1 && values.every((value) => typeof value === 'object' && value !== null && 'role' in value);
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await unzip(bytes, file) : bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (error) {
    throw new Failure(file, 'expected UTF-8 text', error);
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === '-' ? Buffer.concat((await process.stdin.toArray()) as Buffer[]) : await readFile(file);
  } catch (error) {
    throw new Failure(file, `cannot be read: ${(error as Error).message}`, error);
  }
}

async function unzip(bytes: Buffer, file: string): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes);
  } catch (error) {
    throw new Failure(file, `cannot be unzipped: ${(error as Error).message}`, error);
  }
}
