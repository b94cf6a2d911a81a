import { LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { Failure } from '../failure.ts';

/** A parsed value, and where it stands in the file. */
export interface Document {
  readonly value: unknown;
  readonly place: string;
}

/**
 * The values that text holds: one of JSON or YAML, or one for each line of JSONL.
 *
 * @throws Failure naming the file and line
 */
export function parseDocuments(text: string, file: string): Document[] {
  if (text.trim() === '') throw new Failure(file, 'is empty');
  if (!/^\s*[[{]/.test(text)) return [{ value: parseYaml(text, file), place: file }];
  const whole = tryJson(text);
  if (whole !== undefined) return [{ value: whole.value, place: file }];
  return isJsonLines(text) ? parseLines(text, file) : [{ value: parseYaml(text, file), place: file }];
}

function tryJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Whether the first line that is not blank is JSON by itself. */
function isJsonLines(text: string): boolean {
  const first = text.split('\n', 1000).find((line) => line.trim() !== '');
  return first !== undefined && tryJson(first) !== undefined;
}

function parseLines(text: string, file: string): Document[] {
  const documents: Document[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const place = `${file}:${index + 1}`;
    const parsed = tryJson(line);
    if (parsed === undefined) throw new Failure(place, 'expected one JSON value on the line');
    documents.push({ value: parsed.value, place });
  });
  return documents;
}

/** YAML's core schema: no tags of its own, no duplicate keys, few aliases. */
function parseYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, schema: 'core' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const kind = problem instanceof YAMLParseError ? '' : 'warning: ';
    throw new Failure(
      `${file}:${lines.linePos(problem.pos[0]).line}`,
      `${kind}${problem.message.split('\n')[0]}`,
      problem,
    );
  }
  return document.toJS({ maxAliasCount: 100 });
}
