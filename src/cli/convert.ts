import { realpath, stat } from 'node:fs/promises';
import { type Conversion, convertDocument } from './convert-document.ts';
import { type ConvertReport, withReport } from './convert-report.ts';
import { attempt, Failure } from './failure.ts';
import { type Documents, openDocuments } from './input/open-documents.ts';
import { STDIN } from './input/read-lines.ts';
import { note, type Output, withOutput } from './output.ts';
import { type Progress, showProgress } from './progress.ts';

/** The options of `convert`. */
export interface ConvertOptions extends Conversion {
  /** Where losses and repairs are written. Default: they are told on standard error. */
  readonly report?: string;
  readonly out?: string;
}

/**
 * Reads conversations in one form and prints them in another, of a list each on a line of its own. A conversation of a
 * list that cannot be converted is told and left out. Gives how many were left out.
 */
export async function convert(file: string, options: ConvertOptions): Promise<number> {
  const { report, out } = options;
  const progress = await progressOf(file, out);
  const tell = (text: string): Promise<void> => {
    progress.hide();
    return note(text);
  };
  try {
    const source = await openDocuments(file, progress.add);
    const { total, failed } = await withOutput(out, async (output) => {
      const counts = await withReport(report, source.isList, tell, (told) => convertAll(source, options, output, told));
      if (counts.failed > 0 && (await isSameFile(file, out))) throw new Failure(source.place, KEPT);
      return counts;
    });
    if (failed > 0) await tell(`${source.place}: ${failed} of ${total} conversations were not written`);
    return failed;
  } finally {
    progress.hide();
  }
}

const KEPT = 'stays as it was: not all of its conversations can be converted, and --out would replace them';

/** On a terminal, how much of a regular file is read; nothing where the result goes to that terminal. */
async function progressOf(file: string, out = STDIN): Promise<Progress> {
  const { size } = (await stat(file).catch(() => undefined)) ?? { size: 0 };
  return showProgress(out === STDIN && process.stdout.isTTY ? 0 : size);
}

interface Counts {
  readonly total: number;
  readonly failed: number;
}

async function convertAll(
  { isList, documents }: Documents,
  options: ConvertOptions,
  output: Output,
  report: ConvertReport,
): Promise<Counts> {
  const counts = { total: 0, failed: 0 };
  for await (const document of documents) {
    counts.total++;
    const result = attempt(() => convertDocument(document, options));
    if (!(result instanceof Failure)) {
      await output.write(`${JSON.stringify(result.payload, null, isList ? 0 : 2)}\n`);
      await report.tell(document, result.entries);
    } else if (isList) {
      counts.failed++;
      await report.fail(document, result);
    } else throw result;
  }
  return counts;
}

async function isSameFile(file: string, out = STDIN): Promise<boolean> {
  if (file === STDIN || out === STDIN) return false;
  const [from, to] = await Promise.all([file, out].map((path) => realpath(path).catch(() => path)));
  return from === to;
}
