import { MessageStore } from '../model/message-store.ts';
import { at, Failure } from './failure.ts';
import { FORMAT_NAMES, formatNamed } from './formats.ts';
import { joinSources } from './input/join-sources.ts';
import { noteOf, openSource, type Source } from './input/open-source.ts';
import { note, type Output, withOutput } from './output.ts';
import { foldSections, type Prompt, type PromptOptions, Prompts } from './prompts.ts';

/** What `assemble` can print. */
export const TARGETS: readonly string[] = ['flat', ...FORMAT_NAMES, 'store'];

/** The options of `assemble`. */
export interface AssembleOptions extends PromptOptions {
  readonly merge?: readonly string[];
  readonly sections?: readonly string[];
  readonly param?: readonly (readonly [string, unknown])[];
  readonly to: string;
  /** What becomes of calls at the end that wait for their answers. */
  readonly openTurn?: 'throw' | 'cancel';
  readonly out?: string;
}

/**
 * Reads and merges files, and prints their messages as JSON; of a list of conversations each on a line of its own.
 * What was lost or changed on the way is told on standard error.
 */
export async function assemble(files: readonly string[], options: AssembleOptions): Promise<void> {
  const sources: Source[] = [];
  for (const file of [...files, ...(options.merge ?? [])]) sources.push(await openSource(file));
  const source = await joinSources(sources);
  const prompts = await Prompts.open(options);
  await withOutput(options.out, (output) => printAll(source, prompts, options, output));
}

async function printAll(source: Source, prompts: Prompts, options: AssembleOptions, output: Output): Promise<void> {
  const { sections = [] } = options;
  const found = new Set<string>();
  for await (const { store, place, notes } of source.conversations) {
    store.sections.forEach(({ name }) => found.add(name));
    if (!source.isList) requireSome(sections, found);
    const prompt = at(place, () => prompts.make(prepare(store, options)));
    const { json, notes: losses } = render(prompt, options, source.isList ? place : '');
    await output.write(`${source.isList ? JSON.stringify(json) : JSON.stringify(json, null, 2)}\n`);
    const own = prompt.notes.map((text) => (source.isList ? `${place}: ${text}` : text));
    for (const text of [...notes, ...own, ...losses]) await note(text);
    for (const line of prompt.table?.split('\n') ?? []) await note(line);
  }
  for (const name of requireSome(sections, found)) await note(`--sections: ${missing([name], found)}`);
}

/** The names that were not found; it is a failure when none was. */
function requireSome(names: readonly string[], found: ReadonlySet<string>): string[] {
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length > 0 && unknown.length === names.length) throw new Failure('--sections', missing(names, found));
  return unknown;
}

function missing(names: readonly string[], found: ReadonlySet<string>): string {
  return `there is no section ${quoted(names)}; there are ${quoted(found) || 'none'}`;
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}

/** The store with its parameters set, and only the sections asked for. */
export function prepare(
  store: MessageStore,
  { param = [], sections = [] }: Pick<AssembleOptions, 'param' | 'sections'>,
): MessageStore {
  const withParams = at('--param', () => store.parameters().mergeParameters(Object.fromEntries(param)));
  return withParams.select(sections);
}

/** What is printed, and what it lacks. Folding per role reaches across sections, save in a store, which keeps them. */
export function render(
  { input, store }: Prompt,
  { to, mergedPerRole = false, openTurn = 'throw' }: Pick<AssembleOptions, 'to' | 'mergedPerRole' | 'openTurn'>,
  place = '',
): { readonly json: unknown; readonly notes: readonly string[] } {
  if (to === 'store') return { json: mergedPerRole ? foldSections(store) : store, notes: [] };
  const format = formatNamed(to);
  const messages = mergedPerRole ? input.toMessages().toMergedPerRole() : input.toMessages();
  if (format === undefined) return { json: messages, notes: [] };
  // Folded messages have no marks: a prompt that has some comes folded within its sections.
  const encoded = input instanceof MessageStore || (mergedPerRole && input.marks.length === 0) ? messages : input;
  const { payload, report } = at(place || `--to ${to}`, () => format.encode(encoded, { openTurn }));
  return { json: payload, notes: [...report.losses, ...report.repairs].map((loss) => noteOf(loss, place)) };
}
