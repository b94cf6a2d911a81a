import { reject } from '../errors.ts';
import { lazy } from '../internal/lazy.ts';
import type { CanRenderMessages } from '../model/providers.ts';
import { oneOf } from '../schema/explain.ts';
import { copyJson, isRecord, isText } from '../schema/json.ts';
import { missingVariable, type Parameters, parameterPath, valueOf } from './parameters.ts';
import { renderTexts } from './render-messages.ts';

/** How templates are filled. */
export interface TemplateRendererOptions {
  /** What happens to a variable without a value: an error (the default), or its marker stays in the text. */
  readonly missing?: 'throw' | 'keep' | undefined;
  /** What stands around a variable's name. Default: `{{` and `}}`. */
  readonly delimiters?: readonly [open: string, close: string] | undefined;
}

type Settings = { readonly [Key in keyof TemplateRendererOptions]-?: NonNullable<TemplateRendererOptions[Key]> };

const DEFAULTS: Settings = { missing: 'throw', delimiters: ['{{', '}}'] };
const MISSING = ['throw', 'keep'] as const;
const ADVICE = "Give it a value, or leave the marker as it is by templateRenderer({ missing: 'keep' }).";

/** Names of letters of any script, digits, `_`, `-` and `$`, joined by dots. */
const NAMES = /^[\p{ID_Continue}\p{Join_Control}$-]+(?:\.[\p{ID_Continue}\p{Join_Control}$-]+)*$/u;

const standard = /* @__PURE__ */ lazy(() => rendererOf(DEFAULTS));

/**
 * A renderer that fills `{{name}}`, `{{ user.name }}` and `{{items.0}}` in the texts of messages. There is no logic,
 * and nothing is escaped: text is inserted as it is and never read as a template again, any other value as JSON. What
 * stands between the delimiters and is no path of names (`{{"a": 1}}`) stays.
 *
 * @throws InvalidInputError where an option is none, and when rendering, where a value is nothing that JSON can hold
 * @throws MessageStoreError `missing_variable` when rendering, where a variable has no value
 * @example
 * const messages = Messages.from('Translate for {{user.name}}: {{text}}');
 * const parameters = { user: { name: 'Ola' }, text: 'What does {{x}} mean?' };
 * templateRenderer().renderMessages(messages, parameters).map(String) // => ['Translate for Ola: What does {{x}} mean?']
 * templateRenderer().renderMessages(messages, { text: '…' }) // throws messages[0].content: there is no value for the variable "user.name"
 */
export function templateRenderer(options: TemplateRendererOptions = {}): CanRenderMessages {
  const { missing = DEFAULTS.missing, delimiters = DEFAULTS.delimiters } = options;
  if (missing === DEFAULTS.missing && delimiters === DEFAULTS.delimiters) return standard();
  if (!MISSING.includes(missing)) reject('missing', oneOf(MISSING), missing);
  return rendererOf({ missing, delimiters: readDelimiters(delimiters) });
}

function readDelimiters(delimiters: readonly [string, string]): readonly [string, string] {
  if (!Array.isArray(delimiters) || delimiters.length !== 2) reject('delimiters', 'a list of two texts', delimiters);
  delimiters.forEach((delimiter: unknown, at) => {
    if (!isText(delimiter) || delimiter === '') reject(`delimiters[${at}]`, 'text that is not empty', delimiter);
  });
  return [delimiters[0], delimiters[1]];
}

function rendererOf({ missing, delimiters }: Settings): CanRenderMessages {
  return Object.freeze({
    renderMessages: (messages, parameters) => {
      if (!isRecord(parameters)) reject('parameters', 'an object', parameters);
      return renderTexts(messages, (text, path) =>
        fillMarkers(text, delimiters, (name) => {
          const value = writtenValue(parameters, name);
          if (value !== undefined || missing === 'keep') return value;
          throw missingVariable({ name, path, parameters, advice: ADVICE });
        }),
      );
    },
  } satisfies CanRenderMessages);
}

/** A variable's value as text: a string as it is, all else as JSON; undefined where there is none. */
function writtenValue(parameters: Parameters, name: string): string | undefined {
  const value = valueOf(parameters, name);
  if (value === undefined) return undefined;
  const json = copyJson(value, parameterPath(name));
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/**
 * A text with the names between delimiters replaced by what `valueOfName` gives; where that is undefined, or no path of
 * names stands between them, the marker stays. Of nested delimiters the innermost count. Linear.
 */
function fillMarkers(
  text: string,
  [open, close]: readonly [string, string],
  valueOfName: (name: string) => string | undefined,
): string {
  let filled = '';
  let done = 0;
  let from = 0;
  for (;;) {
    const opening = text.indexOf(open, from);
    const end = opening < 0 ? -1 : text.indexOf(close, opening + open.length);
    if (end < 0) return filled + text.slice(done);
    const start = text.lastIndexOf(open, end - open.length);
    const name = text.slice(start + open.length, end).trim();
    const value = NAMES.test(name) ? valueOfName(name) : undefined;
    from = end + close.length;
    if (value !== undefined) {
      filled += text.slice(done, start) + value;
      done = from;
    } else if (open === close) from = end;
  }
}
