import { eventOf } from './event.ts';
import { textChunks } from './text-chunks.ts';

/**
 * The JSON object of each line of a body, as soon as it is there: how Ollama streams. Blank lines are passed over.
 *
 * @throws InvalidInputError `invalid_json` where a line is no JSON object
 * @example
 * import { readJsonLines } from 'message-store/streams';
 * const { value } = await readJsonLines(new Blob(['{"done":', 'false}\n']).stream()).next();
 * value // => { done: false }
 */
export async function* readJsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<object, void, undefined> {
  for await (const line of linesOf(body)) {
    const event = eventOf(line);
    if (event !== undefined) yield event;
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const text of textChunks(body)) {
    const [first = '', ...lines] = text.split('\n');
    rest += first;
    for (const line of lines) {
      yield rest;
      rest = line;
    }
  }
  yield rest;
}
