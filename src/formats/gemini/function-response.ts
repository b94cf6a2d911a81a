import { parseJsonText } from '../../internal/json-text.ts';
import type { Content } from '../../model/content.ts';
import { isRecord, isSound } from '../../schema/json.ts';
import { copyOf, type Fields } from './origin.ts';

/**
 * An answer as the wire's object: `{ error }` where the call did not end well, else the object that the text is, or
 * `{ output }` (`@google/genai`, FunctionResponse.response: without these keys the whole object is the output). What
 * was kept of the wire's object goes back where it still says the same.
 */
export function encodeAnswer(text: string, isError: boolean, content: Content, kept: unknown): Fields {
  if (isRecord(kept)) {
    const before = decodeAnswer(kept);
    if (before.text === text && before.isError === isError) return copyOf(kept) as Fields;
  }
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

/** What the wire's object says, and whether that is enough to make it again. */
export function decodeAnswer(response: Fields): {
  readonly text: string;
  readonly isError: boolean;
  readonly isTold: boolean;
} {
  const isError = 'error' in response;
  const said = Object.keys(response).length === 1 ? (response['error'] ?? response['output']) : undefined;
  if (typeof said === 'string') return { text: said, isError, isTold: isError || !/^\s*\{/.test(said) };
  const text = JSON.stringify(said ?? response);
  return { text, isError, isTold: isWhole(response) && !text.includes('$ref') };
}
