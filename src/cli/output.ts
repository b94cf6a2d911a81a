import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { placed, printable } from './failure.ts';

/** Where a command prints to. */
export interface Output {
  /** Prints text; done when it may be forgotten, so that no reader is slower than the memory is large. */
  readonly write: (text: string) => Promise<void>;
  /** To be called when all is printed. */
  readonly close: () => Promise<void>;
  /** To be called instead when something went wrong. */
  readonly abandon: () => Promise<void>;
}

/** Prints to a file, or to standard output when none is named or it is `-`. A file appears when all of it is written. */
export async function openOutput(file = '-'): Promise<Output> {
  if (file === '-') return standardOutput();
  const { write, close, abandon } = await placedAt(file, () => openFile(file));
  return {
    write: (text) => placedAt(file, () => write(text)),
    close: () => placedAt(file, close),
    abandon,
  };
}

/** What is done with an output, which is closed behind it, or abandoned where something goes wrong. */
export async function withOutput<Result>(
  file: string | undefined,
  action: (output: Output) => Promise<Result>,
): Promise<Result> {
  const output = await openOutput(file);
  let result;
  try {
    result = await action(output);
  } catch (error) {
    await output.abandon();
    throw error;
  }
  await output.close();
  return result;
}

async function placedAt<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw placed(file, error, 'written');
  }
}

function standardOutput(): Output {
  return { write: (text) => print(process.stdout, text), close: done, abandon: done };
}

function done(): Promise<void> {
  return Promise.resolve();
}

/** Tells something beside the result, one line on standard error. */
export function note(text: string): Promise<void> {
  return print(process.stderr, `${printable(text)}\n`);
}

function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const written = (): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  return placedAt('output', written);
}

/** Writes beside a regular file and puts the result in its place; what is no regular file (`/dev/stdout`) is written to. */
async function openFile(file: string): Promise<Output> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => undefined);
  const isRegular = before?.isFile() ?? true;
  const draft = isRegular ? join(dirname(target), `.${basename(target)}.${process.pid}.tmp`) : target;
  const handle = await open(draft, 'w', before?.mode);
  return {
    write: (text) => handle.appendFile(text),
    close: async () => {
      await handle.close();
      if (isRegular) await rename(draft, target);
    },
    abandon: async () => {
      await handle.close();
      if (isRegular) await rm(draft, { force: true });
    },
  };
}
