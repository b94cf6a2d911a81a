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
export function encodeAnswer(answer: Answer, content: Content, kept?: unknown): Fields {
  if (isRecord(kept) && equalJson(decodeAnswer(kept), answer)) return copyOf(kept) as Fields;
  const { text, isError } = answer;
  return isError ? { error: text } : ((copyOf(objectIn(content, text)) as Fields | undefined) ?? { output: text });
}

/** What was found in the text of answers, which go out again with each request. */
const objects = /* @__PURE__ */ new WeakMap<Content, Fields | false>();

function objectIn(content: Content, text: string): Fields | undefined {
  let found = objects.get(content);
  if (found === undefined) objects.set(content, (found = readObject(text) ?? false));
  return found || undefined;
}

/**
 * The JSON object that a text is; undefined where sending it as an object would say something else: where printing it
 * gives more than other white space (a number that is rounded, a key twice), where the wire reads one of its keys in
 * its own way, or where it holds `$ref`, which points at media (`@google/genai`, FunctionResponsePart).
 */
function readObject(text: string): Fields | undefined {
  if (!/^\s*\{/.test(text) || text.includes('$ref')) return undefined;
  try {
    const value = parseJsonText(text);
    const printed = JSON.stringify(value);
    const isSame = printed === text || printed === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isSame && isRecord(value) && isWhole(value) && isSound(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the wire reads an object as the output as a whole. */
function isWhole(response: Fields): boolean {
  return !('output' in response || 'error' in response);
}

/** What the wire's object says. */
function decodeAnswer(response: Fields): Answer {
  const isError = 'error' in response;
  const said =
    isWhole(response) || !isAlone(response) ? response : (response['error'] ?? response['output'] ?? response);
  return { text: typeof said === 'string' ? said : JSON.stringify(said), isError };
}

/** Whether what the wire's object says is enough to make it again. */
function isTold(response: Fields, { text, isError }: Answer): boolean {
  if (isWhole(response)) return !text.includes('$ref');
  const isText = isAlone(response) && typeof (response['error'] ?? response['output']) === 'string';
  return isText && (isError || !/^\s*\{/.test(text));
}

function isAlone(response: Fields): boolean {
  return Object.keys(response).length === 1;
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
  const text = answer.text === '' && media.length > 0 ? [] : [ContentPart.plain(answer.text)];
  return {
    content: media.length === 0 ? Content.owning(answer.text) : Content.owningParts([...text, ...media]),
    isError: answer.isError,
    response: isTold(given, answer) ? undefined : given,
    others,
  };
}
