import type { Loss } from '../../formats/format.ts';
import { MessageStore } from '../../model/message-store.ts';
import type { Messages } from '../../model/messages.ts';
import { at, attempt, Failure } from '../failure.ts';
import { type Document, openDocuments } from './open-documents.ts';
import { readDocument, type Reading } from './read-document.ts';

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

/**
 * What a file holds: prompt files, store documents, and conversations in the wire form of a provider, as JSON or JSON
 * Lines, each also gzipped. `-` is standard input. Of a list, a conversation that cannot be read goes to `skip`.
 *
 * @throws Failure naming the file, and the line or path; for a conversation of a list only without `skip`
 */
export async function openSource(file: string, skip?: Skip): Promise<Source> {
  const { place, isList, documents } = await openDocuments(file);
  return { place, isList, conversations: conversationsIn(documents, isList ? skip : undefined) };
}

/** What is done with what cannot be read. */
type Skip = (failure: Failure) => Promise<void>;

async function* conversationsIn(
  documents: AsyncIterable<Document>,
  skip?: Skip,
): AsyncGenerator<Conversation, void, undefined> {
  for await (const document of documents) {
    const conversation = attempt(() => conversationIn(document));
    if (!(conversation instanceof Failure)) yield conversation;
    else if (skip !== undefined) await skip(conversation);
    else throw conversation;
  }
}

/**
 * A document as a conversation.
 *
 * @throws Failure naming the place, and the path of what cannot be read
 */
export function conversationIn(document: Document): Conversation {
  const reading = readDocument(document);
  const store = at(document.place, () => storeOf(reading));
  return { store, place: document.place, notes: notesOf(reading, document) };
}

function notesOf({ report }: Reading, document: Document): string[] {
  return [...report.losses, ...report.repairs].map((change) => {
    const { place, path } = document.locate(change.path);
    return noteOf({ ...change, path }, place);
  });
}

/** A change of a format in one sentence. */
export function noteOf({ path, action, message }: Loss, place = ''): string {
  return [place, path, action, message].filter((word) => word !== '').join(': ');
}

/**
 * What was read as a store. Messages of a provider stand in two sections: the instructions that lead them, and the
 * rest; what else a request says are parameters.
 */
export function storeOf({ history, settings }: Reading): MessageStore {
  const store = history instanceof MessageStore ? history : storeOfMessages(history);
  return store.parameters().mergeParameters(settings);
}

function storeOfMessages(messages: Messages): MessageStore {
  const instructions = messages.headWithRoles(['system', 'developer']);
  const store = MessageStore.fromMessages(messages.tailAfterRoles(['system', 'developer']), 'messages');
  return instructions.size === 0 ? store : MessageStore.fromMessages(instructions, 'system').merge(store);
}
