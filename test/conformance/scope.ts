import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  memoryStorage,
  type MessageJSON,
  MessageStoreError,
  Messages,
  type Message,
  Sessions,
  templateRenderer,
} from '../../src/index.ts';
import { anthropic } from '../../src/formats/anthropic/index.ts';
import type { MessageFormat } from '../../src/formats/format.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import { openaiResponses } from '../../src/formats/openai-responses/index.ts';
import { jsonlStorage } from '../../src/storage/jsonl/index.ts';
import { shownAs, unwrap, wrap } from './facade.ts';
import { classes, sessions } from './names.ts';

const METHODS: Readonly<Record<string, string>> = {
  message: 'toMessage',
  messages: 'toMessages',
  array: 'toArray',
  json: 'toJson',
  string: 'toString',
};

/** What the library's errors and a reader's expectation call a failure; a slip of the run itself goes on up. */
async function attempt(call: () => unknown): Promise<object> {
  try {
    return { ok: await call() };
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return { threw: true };
    throw error;
  }
}

/** An object that gives `value` when it is asked in the way of `kind`. */
function provider(kind: string, value: unknown): unknown {
  const method = METHODS[kind];
  return method === undefined ? value : { [method]: () => value };
}

/** Keeps the newest messages as long as their texts fit together; what is older overflows. */
function splitByBudget(shown: object, limit: number): object {
  const messages = [...(unwrap(shown) as Messages)];
  let total = 0;
  const fits = (message: Message): boolean => (total += message.toString().length) <= limit;
  const start = messages.findLastIndex((message) => !fits(message)) + 1;
  return {
    keep: wrap(Messages.of(...messages.slice(start))),
    overflow: wrap(Messages.of(...messages.slice(0, start))),
  };
}

const arrowpipe = templateRenderer({ delimiters: ['<|', '|>'], missing: 'keep' });

/** The messages with the variables between arrows and pipes filled in; unknown ones stay. */
function renderArrowpipe(shown: object, parameters: Readonly<Record<string, unknown>>): unknown {
  return wrap(arrowpipe.renderMessages(unwrap(shown) as Messages, parameters));
}

/** One message with the text of all, a line each, behind who speaks. */
function renderRoleString(shown: object): unknown {
  const line = (message: object): string => {
    const { name, role, content } = message as MessageJSON;
    return `${name ? `${name} (${role})` : role}: ${content as string}\n`;
  };
  return wrap(Messages.fromInput(Messages.asString(unwrap(shown) as Messages, '', line)));
}

let folder: string | undefined;

/** A file with these bytes, gone when the process ends. */
function tempFile(name: string, base64: string): string {
  folder ??= newFolder();
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(base64, 'base64'));
  return path;
}

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'message-store-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The list of a request that a format makes of messages; calls that wait are answered as cancelled. */
function listOf(format: MessageFormat<object>): (shown: object) => unknown {
  return (shown) => {
    const { payload } = format.encode(unwrap(shown) as Messages, { openTurn: 'cancel' });
    return Object.values(payload).find((value) => Array.isArray(value));
  };
}

/** The names that calls may use. */
export const scope: Readonly<Record<string, unknown>> = {
  ...classes,
  attempt,
  provider,
  splitByBudget,
  renderArrowpipe,
  renderRoleString,
  memoryStorage: () => shownAs(sessions, new Sessions(memoryStorage())),
  jsonlStorage: (directory: string) => shownAs(sessions, new Sessions(jsonlStorage(directory, { sync: 'none' }))),
  tempDir: newFolder,
  listFiles: (directory: string) => readdirSync(directory).toSorted(),
  tempFile,
  toOpenAI: listOf(openaiChat),
  toAnthropic: listOf(anthropic),
  toGemini: listOf(gemini),
  toOpenResponses: listOf(openaiResponses),
  range: (size: number) => Array.from({ length: size }, (_, at) => at),
};
