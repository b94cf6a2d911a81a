import { missingVariable, type Parameters } from '../../context/parameters.ts';
import { MessageStoreError } from '../../errors.ts';
import { preview } from '../../internal/preview.ts';

/** What was rendered when an error came. */
interface Rendering {
  readonly template: string;
  readonly path: string;
  readonly parameters: Parameters;
}

/** Where LiquidJS says that it was, at the end of its sentences. */
const PLACE = /(?:, file:.*)?, line:(\d+), col:\d+$/;
const UNDEFINED = 'undefined variable: ';
const ADVICE = "Give it a value, write {{ name | default: '…' }} or {% if name %}, or pass missing: 'empty'.";

/** An error of LiquidJS as one of this library: with the path of the text, the line in it, and the names that there are. */
export function liquidError(cause: unknown, { template, path, parameters }: Rendering): MessageStoreError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const said = message.replace(PLACE, '');
  const line = Number(PLACE.exec(message)?.[1] ?? 1);
  const source = template.split('\n')[line - 1]?.trim() ?? '';
  const place = `line ${line} (${preview(source)}): `;
  if (!said.startsWith(UNDEFINED))
    return new MessageStoreError('invalid_template', `${path}: ${place}${said}`, { path, value: source, cause });
  const name = said.slice(UNDEFINED.length);
  return missingVariable({ name, path, line: place, parameters, advice: ADVICE, cause });
}
