import { fit, renderTemplates } from '../context/assemble.ts';
import type { Assembly } from '../context/assembly.ts';
import type { AssemblyReport } from '../context/assembly-report.ts';
import type { TemplateValues } from '../context/render-slots.ts';
import { templateRenderer } from '../context/template-renderer.ts';
import type { MessageCounter } from '../context/token-counter.ts';
import { tokenEstimate } from '../context/token-estimate.ts';
import { gptTokenizer } from '../counters/gpt-tokenizer/index.ts';
import { MessageStoreError } from '../errors.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import { Section } from '../model/section.ts';
import { Sections } from '../model/sections.ts';
import { isRecord } from '../schema/json.ts';
import type { SectionPolicy } from '../schema/section.ts';
import { columns } from './columns.ts';
import { Failure, printable } from './failure.ts';
import { parseYaml } from './input/parse-yaml.ts';
import { nameOf, readLines } from './input/read-lines.ts';
import { messagePath } from './message-path.ts';

/** How tokens can be counted. */
export const COUNTERS = ['estimate', 'gpt-tokenizer'] as const;

/** The options that make a prompt of a store. */
export interface PromptOptions {
  /** A file with what templates are filled with. */
  readonly values?: string;
  /** The tokens that the whole request may take. */
  readonly budget?: number;
  /** The tokens of them that are kept for the output. */
  readonly reserve?: number;
  readonly counter: (typeof COUNTERS)[number];
  /** The sections behind which the provider's prompt cache ends, and how long that lives. */
  readonly cache?: readonly (readonly [section: string, cache: NonNullable<SectionPolicy['cache']>])[];
  /** Whether a table tells what became of each section. */
  readonly explain?: boolean;
  readonly mergedPerRole?: boolean;
}

/** What goes out of a store, and what there is to tell of that. */
export interface Prompt {
  readonly input: MessageStore | Assembly;
  /** The same as a store, with what else the one has that it is made of. */
  readonly store: MessageStore;
  readonly notes: readonly string[];
  readonly table?: string;
}

/** What makes prompts of stores, all in the same way. */
export class Prompts {
  readonly #options: PromptOptions;
  readonly #values: TemplateValues | undefined;
  readonly #counter: MessageCounter;

  private constructor(options: PromptOptions, values: TemplateValues | undefined, counter: MessageCounter) {
    this.#options = options;
    this.#values = values;
    this.#counter = counter;
  }

  /**
   * Reads the values and loads what counts.
   *
   * @throws Failure naming the file of values
   * @throws MessageStoreError `missing_package` where what counts is not installed
   */
  static async open(options: PromptOptions): Promise<Prompts> {
    const values = options.values === undefined ? undefined : await readValues(options.values);
    return new Prompts(options, values, options.counter === 'estimate' ? tokenEstimate : await gptTokenizer());
  }

  /**
   * Templates are filled in; without a file of values, variables that are no parameters stay as they are, which is told.
   * Fitted and marked is where options or the policies of sections ask for that: to explain it changes nothing.
   */
  make(store: MessageStore): Prompt {
    const { budget, cache, explain = false, mergedPerRole = false } = this.#options;
    const [filled, unfilled] = this.#fill(store);
    const isAsked = budget !== undefined || cache !== undefined;
    const isFitted = isAsked || hasPolicy(filled, 'budget') || hasPolicy(filled, 'cache');
    if (!isFitted && !explain) return { input: filled, store: filled, notes: unfilled };
    const assembly = this.#fit(filled);
    const { report } = assembly;
    const told = explain ? { notes: evictions(report), table: tableOf(report) } : { notes: [] };
    const notes = [...unfilled, ...this.#missing(filled), ...(isFitted ? repairs(report) : []), ...told.notes];
    // A store document holds all that is stored, unless something else is asked for.
    const kept = isAsked ? filled.withSections(assembly.sections) : filled;
    const input = isFitted ? (mergedPerRole ? foldBetweenMarks(assembly) : assembly) : filled;
    return { ...told, input, store: kept, notes };
  }

  #fill(store: MessageStore): readonly [MessageStore, readonly string[]] {
    const values = this.#values;
    if (values !== undefined) return [renderTemplates(store, { values }), []];
    const filled = renderTemplates(store, { renderer: templateRenderer({ missing: 'keep' }) });
    return [filled, unfilledIn(store)];
  }

  #fit(store: MessageStore): Assembly {
    const { budget, reserve, cache = [] } = this.#options;
    const policies = Object.fromEntries(cache.map(([name, policy]) => [name, { cache: policy }]));
    return fit(store, { budget, reserve, policies, counter: this.#counter });
  }

  #missing({ sections }: MessageStore): string[] {
    const { cache = [] } = this.#options;
    return cache
      .filter(([name]) => !sections.has(name))
      .map(([name]) => `--cache: there is no section ${JSON.stringify(name)}`);
  }
}

function hasPolicy({ sections }: MessageStore, key: 'budget' | 'cache'): boolean {
  return [...sections].some(({ policy }) => policy?.[key] !== undefined && policy[key] !== false);
}

/** The first variable that has no value, in a sentence. */
function unfilledIn(store: MessageStore): string[] {
  try {
    renderTemplates(store);
    return [];
  } catch (error) {
    if (!MessageStoreError.isInstance(error) || error.code !== 'missing_variable') throw error;
    const name = JSON.stringify(error.value);
    return [`${error.path}: the variable ${name} has no value and stays as it is: give it with --param or --values`];
  }
}

function repairs(report: AssemblyReport): string[] {
  return report.repairs.map(({ section, at, message }) => `${messagePath(section, at)}: ${message}`);
}

/** The store with neighbours of one role folded, each section for itself. */
export function foldSections(store: MessageStore): MessageStore {
  return store.withSections(Sections.distinct(store.sections.map((section) => section.toMergedPerRole())));
}

/** An assembly with neighbours of one role folded, but not over a mark: it stands behind the last message of its section. */
function foldBetweenMarks(assembly: Assembly): Assembly {
  const folded: Section[] = [];
  let before = Messages.empty();
  for (const [at, section] of [...assembly.sections].entries()) {
    before = before.appendMessages(section.messages);
    const { cache = false } = section.policy ?? {};
    if (cache === false && at < assembly.sections.size - 1) continue;
    folded.push(Section.of(section.name, before.toMergedPerRole()).withPolicy({ cache } as SectionPolicy));
    before = Messages.empty();
  }
  return fit(MessageStore.fromSections(...folded));
}

async function readValues(file: string): Promise<TemplateValues> {
  const lines: string[] = [];
  for await (const line of readLines(file)) lines.push(line);
  const { value } = parseYaml(lines.join('\n'), nameOf(file));
  if (!isRecord(value)) throw new Failure(nameOf(file), 'expected names and their values, as YAML or JSON');
  return value;
}

function evictions({ evicted }: AssemblyReport): string[] {
  return evicted.map(({ message }) => message);
}

const HEADINGS = ['section', 'messages', 'tokens', 'left out', 'tokens left out', 'pinned', 'cached'];

function tableOf(report: AssemblyReport): string {
  const { sections, tokens, budget, reserved, unused } = report;
  const rows = sections.map(({ name, kept, tokens: own, evicted, evictedTokens, policy }) => {
    const cached = policy.cache === true ? 'yes' : policy.cache === false ? '' : (policy.cache ?? '');
    return [name, kept.size, own, evicted.size, evictedTokens, policy.pin === true ? 'yes' : '', cached];
  });
  const sum = (column: number): number => rows.reduce((all, row) => all + Number(row[column]), 0);
  const cells = [...rows, ['total', sum(1), sum(2), sum(3), sum(4), '', '']];
  const limit = budget === undefined ? '' : ` of ${budget - reserved}`;
  const kept = reserved === 0 ? '' : ` (${reserved} reserved)`;
  return [
    columns([HEADINGS, ...cells.map((row) => row.map((cell) => printable(String(cell))))]),
    `${tokens} tokens${limit}${kept}${unused.length === 0 ? '' : `; not asked for: ${unused.map(printable).join(', ')}`}`,
  ].join('\n');
}
