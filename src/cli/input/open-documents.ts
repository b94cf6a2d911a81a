import type { MessageStore } from '../../model/message-store.ts';
import { Failure, placed } from '../failure.ts';
import { type Form, formOf, isJson, kindOf } from './detect.ts';
import { parseJson, parseJsonLine } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { promptStore, storeOfPrompt } from './prompt-store.ts';
import { nameOf, readLines } from './read-lines.ts';

/** One conversation as it is written: a whole file, or a line of it. */
export interface Document {
  readonly file: string;
  /** Its line, from 1, where the file is a list. */
  readonly line?: number;
  /** `chats.jsonl:7`, or the file. */
  readonly place: string;
  /** @throws Failure naming the place where it is not written as it should be */
  readonly parse: () => Parsed;
  /** The place in the file of what stands at a path in the value, and the path from there. */
  readonly locate: (path: string) => Location;
}

/** What a document says. */
export interface Parsed {
  readonly value: unknown;
  /** The store of a prompt. It is read from the text, which knows the order of its sections, and its lines. */
  readonly readPrompt: () => MessageStore;
}

interface Location {
  readonly place: string;
  readonly path: string;
}

/** The documents of a file. */
export interface Documents {
  readonly place: string;
  /** Whether it is a list of conversations (JSON Lines), which may be longer than the memory; they are read as they are asked for. */
  readonly isList: boolean;
  readonly documents: AsyncIterable<Document>;
}

type Lines = AsyncGenerator<string, void, undefined>;

/**
 * What a file holds: YAML, JSON or JSON Lines, each also gzipped. `-` is standard input. Lines that are messages are
 * one conversation together. `onRead` is told how many bytes were read, piece by piece.
 *
 * @throws Failure naming the file
 */
export async function openDocuments(file: string, onRead?: (bytes: number) => void): Promise<Documents> {
  const lines = readLines(file, onRead);
  try {
    return await documentsOf(nameOf(file), lines);
  } catch (error) {
    await lines.return();
    throw placed(nameOf(file), error);
  }
}

async function documentsOf(place: string, lines: Lines): Promise<Documents> {
  const head = await readHead(lines);
  const [first, second] = head.filter(isFilled);
  if (first === undefined) throw new Failure(place, 'is empty');
  const form = formOf(place, first, second !== undefined);
  if (form !== 'jsonl') {
    for await (const line of lines) head.push(line);
    return { place, isList: false, documents: only(wholeFile(head.join('\n'), form, place)) };
  }
  const documents = lineByLine(place, head, lines);
  if (!areMessages(head)) return { place, isList: true, documents };
  return { place, isList: false, documents: only(await joined(place, documents)) };
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}

/** The lines up to the second that is not blank: enough to tell what the file is. */
async function readHead(lines: Lines): Promise<string[]> {
  const head: string[] = [];
  for (let filled = 0; filled < 2;) {
    const next = await lines.next();
    if (next.done === true) break;
    head.push(next.value);
    if (isFilled(next.value)) filled++;
  }
  return head;
}

/** Whether lines are messages, by the first that can be read. */
function areMessages(lines: readonly string[]): boolean {
  const line = lines.find(isJson);
  return line !== undefined && kindOf(JSON.parse(line)) === 'message';
}

// oxlint-disable-next-line typescript/require-await -- a list of one, where lists come one by one
async function* only(document: Document): AsyncGenerator<Document, void, undefined> {
  yield document;
}

function wholeFile(text: string, form: Form, file: string): Document {
  const parse = (): Parsed => {
    if (form === 'json') return { value: parseJson(text, file), readPrompt: () => promptStore(text, file) };
    const document = parseYaml(text, file);
    return { value: document.value, readPrompt: () => storeOfPrompt(document, file) };
  };
  return { file, place: file, parse, locate: (path) => ({ place: file, path }) };
}

async function* lineByLine(
  file: string,
  head: readonly string[],
  lines: Lines,
): AsyncGenerator<Document, void, undefined> {
  let line = 0;
  for await (const text of chained(head, lines)) {
    line++;
    if (isFilled(text)) yield lineOf(text, file, line);
  }
}

async function* chained<T>(first: Iterable<T>, rest: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* first;
  yield* rest;
}

function lineOf(text: string, file: string, line: number): Document {
  const place = `${file}:${line}`;
  const parse = (): Parsed => ({ value: parseJsonLine(text, place), readPrompt: () => promptStore(text, place) });
  return { file, line, place, parse, locate: (path) => ({ place, path }) };
}

/** Lines that are the messages of one conversation. */
async function joined(file: string, lines: AsyncIterable<Document>): Promise<Document> {
  const all: Document[] = [];
  for await (const line of lines) all.push(line);
  const parse = (): Parsed => ({
    value: all.map((line) => line.parse().value),
    readPrompt: () => promptStore('', file),
  });
  return { file, place: file, parse, locate: (path) => locate(path, all, file) };
}

/** `messages[3].role` of all is `role` in the fourth line. */
function locate(path: string, lines: readonly Document[], file: string): Location {
  const [, index, rest = ''] = /^\w*\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? { place: file, path } : { place: line.place, path: rest };
}
