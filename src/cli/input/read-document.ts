import { InvalidInputError, MessageStoreError } from '../../errors.ts';
import type { Report } from '../../formats/format.ts';
import { preview } from '../../internal/preview.ts';
import { MessageStore } from '../../model/message-store.ts';
import type { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { at, Failure } from '../failure.ts';
import { FORMAT_NAMES, formatNamed } from '../formats.ts';
import { kindOf } from './detect.ts';
import { formatByShape } from './detect-format.ts';
import type { Document, Parsed } from './open-documents.ts';

/** How a document is read. */
export interface ReadOptions {
  /** The name of a format, or `store` for what this library writes. Default: what the shape says. */
  readonly from?: string;
  /** Whether what a strict provider would refuse is refused. */
  readonly strict?: boolean;
}

/** What was read: a store, or the messages of a provider's wire. */
export interface Reading {
  readonly history: MessageStore | Messages;
  /** What else a request says: model, tools … */
  readonly settings: Fields;
  readonly report: Report;
}

type Fields = Readonly<Record<string, unknown>>;

/** Which format reads messages as `JSON.stringify` writes them. */
const OWN_MESSAGES = 'openai-chat';

/**
 * A document as a store, a prompt, or a conversation in the wire form of a provider.
 *
 * @throws Failure naming the place, and the path of what cannot be read
 */
export function readDocument(document: Document, options: ReadOptions = {}): Reading {
  return at(document.place, () => {
    const parsed = document.parse();
    try {
      return readValue(parsed, options);
    } catch (error) {
      throw error instanceof InvalidInputError ? located(error, document) : error;
    }
  });
}

function located({ path, expected, value }: InvalidInputError, document: Document): Failure {
  const found = document.locate(path);
  const error = new InvalidInputError({ path: found.path, expected, value });
  return new Failure(found.place, error.message, error);
}

function readValue({ value, readPrompt }: Parsed, { from, strict = false }: ReadOptions): Reading {
  const kind = kindOf(value);
  const isOpen = from === undefined || from === 'store';
  if (isOpen && kind === 'store') return stored(storeOfDocument(value as Fields));
  if (isOpen && kind === 'prompt') return stored(readPrompt());
  const name = from === 'store' ? OWN_MESSAGES : (from ?? (kind && formatByShape(value)));
  const format = formatNamed(name) ?? refuse(name ?? describe(value));
  const { messages, report } = format.decode(kind === 'message' ? [value] : value, { strict });
  return { history: messages, settings: kind === 'message' ? {} : settingsOf(value), report };
}

/** A document with sections is read loosely; one that has only a version is told what it lacks. */
function storeOfDocument(document: Fields): MessageStore {
  return Array.isArray(document['sections']) ? MessageStore.from(document) : MessageStore.fromJSON(document);
}

function stored(history: MessageStore): Reading {
  return { history, settings: {}, report: { losses: [], repairs: [] } };
}

const ONE_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function refuse(found: string): never {
  const expected = `a prompt file (sections by name), a store document, or messages of ${ONE_OF.format(FORMAT_NAMES)}`;
  throw new MessageStoreError('invalid_input', `expected ${expected}, got ${found}; convert --from FORMAT says which`);
}

/** What is seen at the top of a value that has no known shape. */
function describe(value: unknown): string {
  return Array.isArray(value) ? `a list that begins with ${shapeOf(value[0])}` : shapeOf(value);
}

function shapeOf(value: unknown): string {
  if (!isRecord(value)) return preview(value);
  const keys = Object.keys(value).slice(0, 6);
  return `an object with ${keys.map((key) => preview(key)).join(', ') || 'nothing in it'}`;
}

/** What is the conversation itself, in one format or another. */
const CONVERSATION_KEYS: ReadonlySet<string> = new Set([
  'messages',
  'choices',
  'message',
  'system',
  'content',
  'contents',
  'candidates',
  'systemInstruction',
  'input',
  'instructions',
  'output',
]);

function settingsOf(value: unknown): Fields {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !CONVERSATION_KEYS.has(key)));
}
