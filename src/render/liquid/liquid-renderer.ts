import type { Parameters } from '../../context/parameters.ts';
import { renderTexts } from '../../context/render-messages.ts';
import { MessageStoreError, reject } from '../../errors.ts';
import type { CanRenderMessages } from '../../model/providers.ts';
import { oneOf } from '../../schema/explain.ts';
import { isRecord } from '../../schema/json.ts';
import { liquidError } from './liquid-error.ts';

/** As much of LiquidJS as is called here: what `new Liquid()` gives. */
export interface LiquidEngine {
  /** The text that a template and its values give. */
  parseAndRenderSync(
    template: string,
    values: object,
    options: { readonly strictVariables: boolean; readonly ownPropertyOnly: boolean },
  ): unknown;
}

/** How Liquid templates are filled. */
export interface LiquidRendererOptions {
  /** An engine with filters and tags of one's own. What its templates may load is up to it. Default: a new one, which loads nothing. */
  readonly engine?: LiquidEngine | undefined;
  /** What happens to a variable without a value: an error (the default), or nothing is written in its place. */
  readonly missing?: 'throw' | 'empty' | undefined;
}

const MISSING = ['throw', 'empty'] as const;
/** The tags by which templates take in other templates. */
const LOADING_TAGS = ['include', 'render', 'layout'];

/**
 * A renderer that fills Liquid templates in the texts of messages: `{% if %}`, `{% for %}` and the filters of LiquidJS.
 * Prompts are no HTML: nothing is escaped. Lists and objects are written as JSON. Templates load no files, see own
 * fields only, and a value is never read as a template.
 *
 * @throws MessageStoreError `missing_package` when the package `liquidjs` is not installed; when rendering
 * `missing_variable` where a variable has no value, and `invalid_template` where a text is no template
 * @example
 * import { Messages } from 'message-store';
 * import { liquidRenderer } from 'message-store/render/liquid';
 * const renderer = await liquidRenderer();
 * const messages = Messages.from('{% for doc in docs %}<doc>{{ doc | strip }}</doc>{% endfor %}');
 * renderer.renderMessages(messages, { docs: [' a < b ', '{{ x }}'] }).map(String) // => ['<doc>a < b</doc><doc>{{ x }}</doc>']
 */
export async function liquidRenderer(options: LiquidRendererOptions = {}): Promise<CanRenderMessages> {
  const { missing = 'throw' } = options;
  if (!MISSING.includes(missing)) reject('missing', oneOf(MISSING), missing);
  const engine = options.engine ?? (await newEngine());
  const settings = { strictVariables: missing === 'throw', ownPropertyOnly: true };
  const fill = (text: string, path: string, parameters: Parameters): string => {
    const filled = rendered(() => engine.parseAndRenderSync(text, { ...parameters }, settings), text, path, parameters);
    return typeof filled === 'string' ? filled : reject(path, 'an engine that gives text', filled);
  };
  return Object.freeze({
    renderMessages: (messages, parameters) => {
      if (!isRecord(parameters)) reject('parameters', 'an object', parameters);
      return renderTexts(messages, (text, path) => fill(text, path, parameters));
    },
  } satisfies CanRenderMessages);
}

function rendered(render: () => unknown, template: string, path: string, parameters: Parameters): unknown {
  try {
    return render();
  } catch (cause) {
    throw liquidError(cause, { template, path, parameters });
  }
}

async function newEngine(): Promise<LiquidEngine> {
  const { Liquid } = await loadLiquid();
  const engine = new Liquid({ strictFilters: true, lenientIf: true, templates: {}, outputEscape: asText });
  for (const name of LOADING_TAGS) engine.registerTag(name, { parse: () => refuseTag(name), render: () => '' });
  return engine;
}

/** What is written for a value: JSON for a list, and for an object that has no text of its own. Of all else Liquid makes text. */
function asText(value: unknown): string {
  return Array.isArray(value) || isMute(value) ? JSON.stringify(value) : (value as string);
}

function isMute(value: unknown): boolean {
  return isRecord(value) && !speaksBy('toString', value) && !speaksBy('valueOf', value);
}

/** Whether an object says itself what it is as text or as a value. */
function speaksBy(key: 'toString' | 'valueOf', { [key]: method }: Record<string, unknown>): boolean {
  return method !== undefined && method !== Object.prototype[key];
}

function refuseTag(name: string): never {
  throw new Error(`the tag "${name}" is not there: templates load no other templates`);
}

async function loadLiquid(): Promise<typeof import('liquidjs')> {
  try {
    return await import('liquidjs');
  } catch (cause) {
    throw new MessageStoreError(
      'missing_package',
      'Liquid templates are rendered by the package liquidjs: npm install liquidjs',
      { cause },
    );
  }
}
