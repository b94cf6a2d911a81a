import { reject } from '../../errors.ts';
import type { Loss } from '../../formats/format.ts';
import type { Message } from '../../model/message.ts';
import { MessageStore } from '../../model/message-store.ts';
import { Messages } from '../../model/messages.ts';
import { at, Failure, placed } from '../failure.ts';
import { type Form, formOf, kindOf } from './detect.ts';
import { parseJson, parseJsonLine } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { promptStore, storeOfPrompt } from './prompt-store.ts';
import { nameOf, readLines } from './read-lines.ts';
import { type Read, readMessage, storeOfConversation, storeOfMessages } from './store-of.ts';

/** One conversation of a file. */
export interface Conversation {
  readonly store: MessageStore;
  /** `chats.jsonl:7`, or the file where it holds only one. */
  readonly place: string;
  /** What was changed to read it, a sentence each. */
  readonly notes: readonly string[];
}

/** What a file holds. */
export interface Source {
  readonly place: string;
  /** Whether it is a list of conversations (JSON Lines), which may be longer than the memory; they are read as they are asked for. */
  readonly isList: boolean;
  readonly conversations: AsyncIterable<Conversation>;
}

type Fields = Readonly<Record<string, unknown>>;
type Lines = AsyncGenerator<string, void, undefined>;

/**
 * What a file holds: a prompt file, a store document, OpenAI chat JSON or JSON Lines, each also gzipped. `-` is
 * standard input.
 *
 * @throws Failure naming the file, and the line or path
 */
export async function openSource(file: string): Promise<Source> {
  const lines = readLines(file);
  try {
    return await sourceOf(nameOf(file), lines);
  } catch (error) {
    await lines.return();
    throw placed(nameOf(file), error);
  }
}

async function sourceOf(place: string, lines: Lines): Promise<Source> {
  const head = await readHead(lines);
  const [first, second] = head.filter(isFilled);
  if (first === undefined) throw new Failure(place, 'is empty');
  const form = formOf(place, first, second !== undefined);
  if (form === 'jsonl') return readLineByLine(place, parsedLines(place, head, lines));
  for await (const line of lines) head.push(line);
  return single(conversation(place, () => readDocument(head.join('\n'), form, place)));
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

function conversation(place: string, read: () => Read): Conversation {
  const { store, changes } = at(place, read);
  return { store, place, notes: changes.map((change) => noteOf(change, place)) };
}

/** A change of a format in one sentence. */
export function noteOf({ path, action, message }: Loss, place = ''): string {
  return [place, path, action, message].filter((word) => word !== '').join(': ');
}

function single(found: Conversation): Source {
  return { place: found.place, isList: false, conversations: only(found) };
}

// oxlint-disable-next-line typescript/require-await -- a list of one, where lists come one by one
async function* only(found: Conversation): AsyncGenerator<Conversation, void, undefined> {
  yield found;
}

function readDocument(text: string, form: Form, place: string): Read {
  if (form === 'json') return readValue(parseJson(text, place), () => promptStore(text, place));
  const document = parseYaml(text, place);
  return readValue(document.value, () => storeOfPrompt(document, place));
}

/** A parsed value as a store. A prompt is read from its text, which knows the order of its sections, and its lines. */
function readValue(value: unknown, readPrompt: () => MessageStore): Read {
  switch (kindOf(value)) {
    case 'store':
      return { store: storeOfDocument(value as Fields), changes: [] };
    case 'prompt':
      return { store: readPrompt(), changes: [] };
    case 'conversation':
      return storeOfConversation(value);
    case 'message':
      return storeOfConversation([value]);
    case undefined:
      return reject('', 'a prompt file (sections by name), a store document, or OpenAI chat messages', value);
  }
}

/** A document with sections is read loosely; one that has only a version is told what it lacks. */
function storeOfDocument(document: Fields): MessageStore {
  return Array.isArray(document['sections']) ? MessageStore.from(document) : MessageStore.fromJSON(document);
}

/** A value on a line of its own. */
interface Item {
  readonly value: unknown;
  readonly text: string;
  readonly place: string;
}

async function* parsedLines(
  file: string,
  head: readonly string[],
  lines: Lines,
): AsyncGenerator<Item, void, undefined> {
  let number = 0;
  const parse = (text: string): Item | undefined => {
    const place = `${file}:${++number}`;
    return isFilled(text) ? { value: parseJsonLine(text, place), text, place } : undefined;
  };
  for (const item of head.map(parse)) if (item !== undefined) yield item;
  for await (const line of lines) {
    const item = parse(line);
    if (item !== undefined) yield item;
  }
}

/** Lines are messages of one conversation where the first is one, else each is a conversation of its own. */
async function readLineByLine(place: string, items: AsyncGenerator<Item, void, undefined>): Promise<Source> {
  const { value: first } = await items.next();
  const all = chained(first as Item, items);
  if (kindOf((first as Item).value) === 'message') return single(await joinMessages(all, place));
  return { place, isList: true, conversations: readEach(all) };
}

async function* chained<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield first;
  yield* rest;
}

async function* readEach(items: AsyncIterable<Item>): AsyncGenerator<Conversation, void, undefined> {
  for await (const { value, text, place } of items) {
    yield conversation(place, () => readValue(value, () => promptStore(text, place)));
  }
}

async function joinMessages(items: AsyncIterable<Item>, file: string): Promise<Conversation> {
  const messages: Message[] = [];
  const notes: string[] = [];
  for await (const { value, place } of items) {
    const { message, changes } = at(place, () => readMessage(value));
    messages.push(message);
    notes.push(...changes.map((change) => noteOf(change, place)));
  }
  return { store: storeOfMessages(Messages.from(messages)), place: file, notes };
}
