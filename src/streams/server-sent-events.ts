import { MessageStoreError } from '../errors.ts';
import { eventOf } from './event.ts';
import { textChunks } from './text-chunks.ts';

/** What servers that speak as OpenAI's send behind the last event. */
const DONE = '[DONE]';

/**
 * The JSON object of each server-sent event of a body, as soon as it is there. `[DONE]` ends it; events without data,
 * and comments, are passed over.
 *
 * @throws MessageStoreError `missing_package` when the package `eventsource-parser` is not installed
 * @throws InvalidInputError `invalid_json` where the data of an event is no JSON object
 * @example
 * import { readServerSentEvents } from 'message-store/streams';
 * const { value } = await readServerSentEvents(new Blob(['data: {"n":1}\n\n', 'data: [DONE]\n\n']).stream()).next();
 * value // => { n: 1 }
 */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<object, void, undefined> {
  const createParser = await loadParser();
  const came: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void came.push(data) });
  for await (const text of textChunks(body)) {
    parser.feed(text);
    for (const data of came.splice(0)) {
      if (data.trim() === DONE) return;
      const event = eventOf(data);
      if (event !== undefined) yield event;
    }
  }
}

async function loadParser() {
  try {
    return (await import('eventsource-parser')).createParser;
  } catch (error) {
    throw new MessageStoreError(
      'missing_package',
      'server-sent events are read by the package eventsource-parser: npm install eventsource-parser',
      { cause: error },
    );
  }
}
