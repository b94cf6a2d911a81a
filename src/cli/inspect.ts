import type { JsonObject } from '../schema/json.ts';
import { columns } from './columns.ts';
import { type Failure, printable } from './failure.ts';
import { openSource } from './input/open-source.ts';
import { note, openOutput } from './output.ts';
import { type Counts, Summarizer, type Summary, type Totals } from './summary.ts';

/** The options of `inspect`. */
export interface InspectOptions {
  readonly json?: boolean;
}

/** What a file holds: sums, and the parameters where it is a single conversation. */
interface Inspection extends Summary {
  readonly parameters?: JsonObject;
}

/** Prints a table of what a file holds, or the same as data. Gives how many conversations of a list could not be read. */
export async function inspect(file: string, { json = false }: InspectOptions): Promise<number> {
  let skipped = 0;
  const inspection = await inspectFile(file, (failure) => {
    skipped++;
    return note(failure.message);
  });
  const output = await openOutput();
  await output.write(`${json ? JSON.stringify(inspection, null, 2) : pageOf(inspection)}\n`);
  await output.close();
  return skipped;
}

async function inspectFile(file: string, skip: (failure: Failure) => Promise<void>): Promise<Inspection> {
  const { isList, conversations } = await openSource(file, skip);
  const summarizer = new Summarizer();
  let parameters: JsonObject = {};
  for await (const { store, notes } of conversations) {
    summarizer.add(store);
    parameters = store.parameters().get().toJSON();
    for (const text of notes) await note(text);
  }
  return { ...summarizer.summary(), ...(!isList && { parameters }) };
}

function pageOf({ conversations, sections, total, parameterCounts, parameters }: Inspection): string {
  const rows = sections.map((totals) => row(totals.section, totals));
  const all = rows.length > 1 ? [...rows, row('total', total)] : rows;
  const shown = parameters === undefined ? entries(parameterCounts) : entries(parameters, JSON.stringify);
  const parameterHeadings = ['parameter', parameters === undefined ? 'conversations' : 'value'];
  return [
    ...(parameters === undefined ? [`${conversations} conversation${conversations === 1 ? '' : 's'}`] : []),
    columns([HEADINGS, ...all]),
    ...(shown.length > 0 ? [columns([parameterHeadings, ...shown])] : []),
  ].join('\n\n');
}

const HEADINGS = ['section', 'messages', 'roles', 'parts', 'tool calls', 'tool results', 'characters', 'bytes'];

function row(name: string, totals: Totals): string[] {
  const { messages, roles, parts, toolCalls, toolResults, characters, bytes } = totals;
  return [name, messages, words(roles), words(parts), toolCalls, toolResults, characters, bytes].map((cell) =>
    printable(String(cell)),
  );
}

function words(counts: Counts): string {
  return Object.entries(counts)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}

const MAX_WIDTH = 80;

function entries(values: Readonly<Record<string, unknown>>, text: (value: unknown) => string = String): string[][] {
  return Object.entries(values).map(([name, value]) => [printable(name), cut(printable(text(value)))]);
}

function cut(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH).toWellFormed()}…` : text;
}
