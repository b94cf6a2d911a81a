import { parseJsonText } from '../internal/json-text.ts';
import { copyJson } from '../schema/json.ts';

/**
 * What JSON text holds, in objects that nobody else holds.
 *
 * @throws SyntaxError when the text is no JSON
 * @throws InvalidInputError when it holds lone surrogates
 */
export function parseJson(text: string): unknown {
  const { value, hasSurrogateEscapes } = parseJsonText(text);
  return text.isWellFormed() && !hasSurrogateEscapes ? value : copyJson(value);
}
