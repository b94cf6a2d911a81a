import type { MessageStore } from '../model/message-store.ts';
import type { Section } from '../model/section.ts';
import { columns } from './columns.ts';
import { type Conversation, readConversations } from './input/read-conversations.ts';

/** The options of `inspect`. */
export interface InspectOptions {
  readonly json?: boolean;
}

/** What one section holds; over several conversations, all sections of its name together. */
export interface SectionSummary {
  readonly section: string;
  readonly messages: number;
  /** The number of messages by role. */
  readonly roles: Readonly<Record<string, number>>;
  /** The number of content parts by type. */
  readonly parts: Readonly<Record<string, number>>;
  readonly toolCalls: number;
  readonly toolResults: number;
  /** The length of all texts, in UTF-16 code units. */
  readonly characters: number;
  /** The length of the section's JSON, in bytes of UTF-8. */
  readonly bytes: number;
}

/** Prints a table of what a file holds, or the same as data. */
export async function inspect(file: string, { json = false }: InspectOptions): Promise<void> {
  const conversations = await readConversations(file);
  const sections = summarize(conversations.map(({ store }) => store));
  const parameters = parametersOf(conversations);
  const text = json
    ? JSON.stringify({ conversations: conversations.length, sections, parameters }, null, 2)
    : table(conversations.length, sections, parameters);
  process.stdout.write(`${text}\n`);
}

function parametersOf(conversations: readonly Conversation[]): object {
  return conversations.length === 1 ? (conversations[0] as Conversation).store.parameters().get().toJSON() : {};
}

/** What the sections of stores hold, by name. */
export function summarize(stores: readonly MessageStore[]): SectionSummary[] {
  const byName = new Map<string, SectionSummary>();
  for (const store of stores) {
    for (const section of store.sections) {
      const one = summarizeSection(section);
      const before = byName.get(section.name);
      byName.set(section.name, before === undefined ? one : add(before, one));
    }
  }
  return [...byName.values()];
}

function summarizeSection(section: Section): SectionSummary {
  const messages = [...section];
  const parts = messages.flatMap((message) => [...message.content.parts]).filter((part) => !part.isMark());
  return {
    section: section.name,
    messages: messages.length,
    roles: tally(messages.map(({ role }) => role)),
    parts: tally(parts.map(({ type }) => type)),
    toolCalls: messages.reduce((sum, message) => sum + message.toolCalls.size, 0),
    toolResults: messages.filter((message) => message.hasToolResult()).length,
    characters: parts.reduce((sum, part) => sum + part.toString().length, 0),
    bytes: Buffer.byteLength(JSON.stringify(section)),
  };
}

function tally(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function add(a: SectionSummary, b: SectionSummary): SectionSummary {
  return {
    section: a.section,
    messages: a.messages + b.messages,
    roles: addTallies(a.roles, b.roles),
    parts: addTallies(a.parts, b.parts),
    toolCalls: a.toolCalls + b.toolCalls,
    toolResults: a.toolResults + b.toolResults,
    characters: a.characters + b.characters,
    bytes: a.bytes + b.bytes,
  };
}

function addTallies(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const counts = new Map(Object.entries(a));
  for (const [word, count] of Object.entries(b)) counts.set(word, (counts.get(word) ?? 0) + count);
  return Object.fromEntries(counts);
}

function table(conversations: number, sections: readonly SectionSummary[], parameters: object): string {
  const total = sections.reduce(add, NOTHING);
  const rows = [...sections, ...(sections.length > 1 ? [total] : [])].map(row);
  const lines = [columns([HEADINGS, ...rows])];
  if (conversations > 1) lines.unshift(`${conversations} conversations`);
  if (Object.keys(parameters).length > 0) lines.push(`parameters: ${JSON.stringify(parameters)}`);
  return lines.join('\n');
}

const HEADINGS = ['section', 'messages', 'roles', 'parts', 'tool calls', 'tool results', 'characters', 'bytes'];
const NOTHING: SectionSummary = {
  section: 'total',
  messages: 0,
  roles: {},
  parts: {},
  toolCalls: 0,
  toolResults: 0,
  characters: 0,
  bytes: 0,
};

function row(summary: SectionSummary): string[] {
  const { section, messages, roles, parts, toolCalls, toolResults, characters, bytes } = summary;
  return [section, messages, words(roles), words(parts), toolCalls, toolResults, characters, bytes].map(String);
}

function words(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');
}
