import { parseJsonText } from '../../internal/json-text.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { equalJson, isRecord, isSound } from '../../schema/json.ts';
import { decodePart } from './decode-part.ts';
import { copyOf, type Fields } from './origin.ts';

/** What a tool answered, as the model reads it. */
interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * An answer as the wire's object: `{ error }` where the call did not end well, else the object that the text is, or
 * `{ output }` (`@google/genai`, FunctionResponse.response: without these keys the whole object is the output). What
 * was kept of the wire's object goes back where it still says the same.
 */
export function encodeAnswer(answer: Answer, kept?: unknown): Fields {
  if (isRecord(kept) && equalJson(decodeAnswer(kept), answer)) return copyOf(kept);
  const { text, isError } = answer;
  return isError ? { error: text } : (objectIn(text) ?? { output: text });
}

/**
 * The JSON object that a text is; undefined where sending it as an object would say something else: where printing it
 * gives more than other white space (a number that is rounded, a key twice), where the wire reads one of its keys in
 * its own way, or where it holds `$ref`, which points at media (`@google/genai`, FunctionResponsePart).
 */
function objectIn(text: string): Fields | undefined {
  if (!/^\s*\{/.test(text) || text.includes('$ref')) return undefined;
  try {
    const value = parseJsonText(text);
    const printed = JSON.stringify(value);
    const isSame = printed === text || printed === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isRecord(value) && isSame && isSound(value) && !('output' in value || 'error' in value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What the wire's object says. */
function decodeAnswer(response: Fields): Answer {
  const isError = 'error' in response;
  const [said = response] = Object.keys(response).length === 1 ? [response['error'] ?? response['output']] : [];
  return { text: typeof said === 'string' ? said : JSON.stringify(said), isError };
}

/** An answer that was read: what it says, the wire's object where that is not told by it, and what else stood there. */
interface ReadAnswer {
  readonly content: Content;
  readonly isError: boolean;
  readonly response: Fields | undefined;
  readonly others: Fields;
}

/** The answer in the record of the wire that holds it. */
export function readAnswer({ response, parts, id: _id, name: _name, ...others }: Fields): ReadAnswer {
  const given = isRecord(response) ? response : { output: response ?? '' };
  const answer = decodeAnswer(given);
  const media = Array.isArray(parts) ? parts.filter(isRecord).map(decodePart) : [];
  const isMedia = answer.text === '' && media.length > 0;
  return {
    content: Content.owningParts([...(isMedia ? [] : [ContentPart.plain(answer.text)]), ...media]),
    isError: answer.isError,
    response: equalJson(encodeAnswer(answer), given) ? undefined : given,
    others,
  };
}
