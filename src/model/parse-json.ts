import { parseJsonText } from '../internal/json-text.ts';
import { copyJson } from '../schema/json.ts';

/** A JSON escape of a surrogate: the only way in which JSON text that is well-formed gives text that is not. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * What JSON text holds, in objects that nobody else holds.
 *
 * @throws SyntaxError when the text is no JSON
 * @throws InvalidInputError when it holds lone surrogates
 */
export function parseJson(text: string): unknown {
  const json = parseJsonText(text);
  return text.isWellFormed() && !SURROGATE_ESCAPE.test(text) ? json : copyJson(json);
}
