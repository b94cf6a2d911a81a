import { validate as violationsIn, type Violation } from '../turns/validate.ts';
import { type Failure, printable } from './failure.ts';
import { messagePath } from './message-path.ts';
import { openSource } from './input/open-source.ts';
import { note, openOutput } from './output.ts';

/** The options of `validate`. */
export interface ValidateOptions {
  readonly json?: boolean;
  /** Whether the calls of a last turn must have their answers too. */
  readonly complete?: boolean;
}

/** What is wrong with a message, and where it stands. */
interface Finding extends Violation {
  readonly place: string;
  readonly section: string;
}

/**
 * Prints what providers would refuse in the files, a line for each, or the same as data. Gives how much was found;
 * conversations of a list that cannot be read, which are told on standard error, count too.
 */
export async function validate(
  files: readonly string[],
  { json = false, complete = false }: ValidateOptions,
): Promise<number> {
  const output = await openOutput();
  const findings: Finding[] = [];
  let count = 0;
  const skip = (failure: Failure): Promise<void> => {
    count++;
    return note(failure.message);
  };
  for await (const finding of findingsIn(files, complete, skip)) {
    count++;
    if (json) findings.push(finding);
    else await output.write(`${lineOf(finding)}\n`);
  }
  if (json) await output.write(`${JSON.stringify(findings, null, 2)}\n`);
  await output.close();
  return count;
}

/** One conversation at a time, each section by itself: a call and its answers stand in one section. */
async function* findingsIn(
  files: readonly string[],
  complete: boolean,
  skip: (failure: Failure) => Promise<void>,
): AsyncGenerator<Finding, void, undefined> {
  for (const file of files) {
    const { conversations } = await openSource(file, skip);
    for await (const { store, place, notes } of conversations) {
      for (const text of notes) await note(text);
      for (const { name: section, messages } of store.sections)
        for (const violation of violationsIn(messages, { allowOpenTail: !complete }))
          yield { place, section, ...violation };
    }
  }
}

function lineOf({ place, section, at, code, message }: Finding): string {
  return printable([place, messagePath(section, at), code, message].join(': '));
}
