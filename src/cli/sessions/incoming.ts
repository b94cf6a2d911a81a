import type { Op, SessionInit } from '../../storage/storage.ts';
import { attempt, Failure } from '../failure.ts';
import type { Document } from '../input/open-documents.ts';
import { conversationOf } from './incoming-conversation.ts';
import { opsUpToLeaf } from './incoming-lines.ts';
import { readHeader, type SessionHeader } from './session-header.ts';

/** A session that is to be imported. */
export interface Incoming {
  readonly id: string;
  readonly place: string;
  readonly init: SessionInit;
  /** Tells what it is made of from anything else. */
  readonly mark: string;
  /** What makes it; the leaf comes last. To be read to the end. */
  readonly ops: AsyncIterable<Op>;
  /** What was changed to read it, a sentence each. */
  readonly notes: readonly string[];
}

/** How files are read. */
export interface ReadOptions {
  /** The id of the only session. */
  readonly id?: string;
  /** The time of messages that have none, in milliseconds since 1970 UTC. */
  readonly time: number;
  /** What is done with a conversation of a list that cannot be read; without it, it is an error. */
  readonly skip?: (failure: Failure) => Promise<void>;
}

/**
 * The sessions in a file: exported ones, and conversations in any form that the other commands read.
 *
 * @throws Failure naming the place of what cannot be read, and where a second session should get the same id
 */
export async function* sessionsIn(
  documents: AsyncIterable<Document>,
  options: ReadOptions,
): AsyncGenerator<Incoming, void, undefined> {
  const lines = documents[Symbol.asyncIterator]();
  let count = 0;
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const incoming = read(parsedOnce(next.value), lines, options);
    if (incoming instanceof Failure) {
      if (options.skip === undefined) throw incoming;
      await options.skip(incoming);
      continue;
    }
    count++;
    if (options.id !== undefined && count > 1)
      throw new Failure(incoming.place, `is another session: --id ${JSON.stringify(options.id)} is for one`);
    yield incoming;
  }
}

/** A conversation that cannot be read can be left out; the lines of an exported session belong together. */
function read(document: Document, lines: AsyncIterator<Document>, options: ReadOptions): Incoming | Failure {
  const parsed = attempt(document.parse);
  if (parsed instanceof Failure) return parsed;
  const { place } = document;
  const header = readHeader(parsed.value, place);
  if (header === undefined) return attempt(() => conversationOf(document, options));
  return { ...exported(header, options), place, ops: opsUpToLeaf(lines, place), notes: [] };
}

function exported(header: SessionHeader, { id = header.id }: ReadOptions): Pick<Incoming, 'id' | 'init' | 'mark'> {
  const { meta, forkedFrom } = header;
  return { id, init: { meta, forkedFrom }, mark: JSON.stringify([header.id, header.createdAt, header.updatedAt]) };
}

/** What is looked at first, and then read, is parsed once. */
function parsedOnce(document: Document): Document {
  let parsed: ReturnType<Document['parse']> | undefined;
  return { ...document, parse: () => (parsed ??= document.parse()) };
}
