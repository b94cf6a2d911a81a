import type { MessageStore } from '../model/message-store.ts';
import { describeChange } from '../turns/describe-change.ts';
import { repair as repaired } from '../turns/repair.ts';
import { messagePath } from './message-path.ts';
import { openSource, type Source } from './input/open-source.ts';
import { note, type Output, withOutput } from './output.ts';

/** The options of `repair`. */
export interface RepairOptions {
  readonly out?: string;
  /** Whether the calls of a last turn are settled too. */
  readonly complete?: boolean;
}

/**
 * Repairs the tool turns of a file and prints the store as JSON; of a list of conversations each on a line of its own.
 * What was changed is told on standard error.
 */
export async function repair(file: string, { out, complete = false }: RepairOptions): Promise<void> {
  const source = await openSource(file);
  await withOutput(out, (output) => printAll(source, complete, output));
}

async function printAll({ conversations, isList }: Source, complete: boolean, output: Output): Promise<void> {
  for await (const { store, place, notes } of conversations) {
    const result = repairStore(store, complete);
    await output.write(`${JSON.stringify(result.store, null, isList ? 0 : 2)}\n`);
    for (const text of [...notes, ...result.changes.map((change) => `${place}: ${change}`)]) await note(text);
  }
}

/** A store whose sections are repaired each by itself, and what was changed, a sentence each. */
export function repairStore(
  store: MessageStore,
  complete = false,
): { readonly store: MessageStore; readonly changes: readonly string[] } {
  const told: string[] = [];
  let next = store;
  for (const section of store.sections) {
    const { messages, changes } = repaired(section.messages, { keepOpenTail: !complete });
    next = next.setSection(section.withMessages(messages));
    for (const change of changes)
      told.push(`${messagePath(section.name, change.at)}: ${change.change}: ${describeChange(change)}`);
  }
  return { store: next, changes: told };
}
