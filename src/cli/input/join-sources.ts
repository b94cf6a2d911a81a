import { Failure } from '../failure.ts';
import type { Conversation, Source } from './open-source.ts';

/**
 * Several sources as one, their stores merged in order. One of them may be a list: then each of its conversations is
 * merged with what stands before it and after it.
 *
 * @throws Failure when two are lists
 */
export async function joinSources(sources: readonly Source[]): Promise<Source> {
  const [list = sources.at(-1) as Source, other] = sources.filter(({ isList }) => isList);
  if (other !== undefined) {
    throw new Failure(other.place, `is a list of conversations, and so is ${list.place}: only one file may be one`);
  }
  const index = sources.indexOf(list);
  const before = await collect(sources.slice(0, index));
  const after = await collect(sources.slice(index + 1));
  return { ...list, conversations: mergeEach(before, list.conversations, after) };
}

async function collect(sources: readonly Source[]): Promise<Conversation[]> {
  const all: Conversation[] = [];
  for (const { conversations } of sources) for await (const conversation of conversations) all.push(conversation);
  return all;
}

/** The notes about the files around a list come once, with its first conversation. */
async function* mergeEach(
  before: readonly Conversation[],
  conversations: AsyncIterable<Conversation>,
  after: readonly Conversation[],
): AsyncGenerator<Conversation, void, undefined> {
  let others = [...before, ...after].flatMap(({ notes }) => notes);
  for await (const conversation of conversations) {
    const [first, ...rest] = [...before, conversation, ...after].map(({ store }) => store);
    const store = rest.reduce((merged, next) => merged.merge(next), first as typeof conversation.store);
    yield { ...conversation, store, notes: [...others, ...conversation.notes] };
    others = [];
  }
}
