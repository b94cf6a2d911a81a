import { writeFile } from 'node:fs/promises';
import { openaiChat } from '../formats/openai-chat/index.ts';
import type { Loss } from '../formats/format.ts';
import type { MessageStore } from '../model/message-store.ts';
import { at, Failure } from './failure.ts';
import { readConversations } from './input/read-conversations.ts';

/** What `assemble` can print. */
export const TARGETS = ['flat', 'openai-chat', 'store'] as const;

/** The options of `assemble`. */
export interface AssembleOptions {
  readonly merge: readonly string[];
  readonly sections?: readonly string[];
  readonly param: readonly (readonly [string, unknown])[];
  readonly to: (typeof TARGETS)[number];
  readonly mergedPerRole?: boolean;
  readonly out?: string;
}

/** Reads and merges files, and prints their messages as JSON. */
export async function assemble(files: readonly string[], options: AssembleOptions): Promise<void> {
  const stores = await Promise.all([...files, ...options.merge].map(readOne));
  const merged = stores.reduce((store, other) => store.merge(other));
  const text = `${JSON.stringify(print(prepare(merged, options), options), null, 2)}\n`;
  if (options.out === undefined) process.stdout.write(text);
  else await write(options.out, text);
}

async function readOne(file: string): Promise<MessageStore> {
  const [first, second] = await readConversations(file);
  if (second !== undefined) {
    throw new Failure(file, `${second.place} holds another conversation: assemble takes one conversation a file`);
  }
  return (first as { readonly store: MessageStore }).store;
}

function prepare(store: MessageStore, { param, sections, mergedPerRole = false }: AssembleOptions): MessageStore {
  const withParams = param.length === 0 ? store : store.parameters().mergeParameters(Object.fromEntries(param));
  const selected = sections === undefined ? withParams : withParams.select(known(sections, withParams));
  return mergedPerRole ? mergeSections(selected) : selected;
}

function mergeSections(store: MessageStore): MessageStore {
  return store.sections.reduce((result, section) => result.setSection(section.toMergedPerRole()), store);
}

function known(names: readonly string[], store: MessageStore): readonly string[] {
  const missing = names.filter((name) => !store.sections.has(name));
  if (missing.length === names.length) {
    throw new Failure(
      '--sections',
      `there is no section ${missing.join(', ')}; there are ${store.sections.names().join(', ')}`,
    );
  }
  return names;
}

function print(store: MessageStore, { to, mergedPerRole = false }: AssembleOptions): unknown {
  if (to === 'store') return store;
  const messages = mergedPerRole ? store.toMessages().toMergedPerRole() : store.toMessages();
  if (to === 'flat') return messages;
  const { payload, report } = openaiChat.encode(messages);
  [...report.losses, ...report.repairs].forEach(warn);
  return payload;
}

function warn({ path, action, message }: Loss): void {
  process.stderr.write(`${path}: ${action}: ${message}\n`);
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    at(file, () => {
      throw error;
    });
  }
}
