import type { Entry } from './convert-document.ts';
import type { Failure } from './failure.ts';
import type { Document } from './input/open-documents.ts';
import { noteOf } from './input/open-source.ts';
import { type Output, withOutput } from './output.ts';

/** Where it is told what became of documents. */
export interface ConvertReport {
  /** Tells what was lost or repaired. */
  readonly tell: (document: Document, entries: readonly Entry[]) => Promise<void>;
  /** Tells why a document could not be converted. */
  readonly fail: (document: Document, failure: Failure) => Promise<void>;
}

type Note = (text: string) => Promise<void>;

/** What is done with a report in a file, or by notes where none is named. Failures are always told by a note. */
export function withReport<Result>(
  file: string | undefined,
  isList: boolean,
  note: Note,
  action: (report: ConvertReport) => Promise<Result>,
): Promise<Result> {
  if (file === undefined) return action(asNotes(note));
  return withOutput(file, (output) => action(asJson(output, isList, note)));
}

function asNotes(note: Note): ConvertReport {
  return {
    tell: async (document, entries) => {
      for (const entry of entries) await note(sentenceOf(entry, document));
    },
    fail: (_, failure) => note(failure.message),
  };
}

function sentenceOf(entry: Entry, document: Document): string {
  if (entry.step === 'write') return noteOf(entry, document.place);
  const { place, path } = document.locate(entry.path);
  return noteOf({ ...entry, path }, place);
}

/** An object; of a list one on each line, for each document of which there is something to tell. */
function asJson(output: Output, isList: boolean, note: Note): ConvertReport {
  const write = (value: object): Promise<void> => output.write(`${JSON.stringify(value, null, isList ? 0 : 2)}\n`);
  return {
    tell: async ({ file, line }, entries) => {
      if (!isList || entries.length > 0) await write({ file, line, entries });
    },
    fail: async ({ file, line }, failure) => {
      await write({ file, line, error: failure.message });
      await note(failure.message);
    },
  };
}
