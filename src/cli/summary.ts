import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Section } from '../model/section.ts';

/** Numbers by word, in the order in which the words came. */
export type Counts = Readonly<Record<string, number>>;

/** What a section holds; over several conversations, all sections of its name together. */
export interface Totals {
  readonly messages: number;
  /** The number of messages by role. */
  readonly roles: Counts;
  /** The number of content parts by type. */
  readonly parts: Counts;
  readonly toolCalls: number;
  readonly toolResults: number;
  /** The characters (code points) of all texts. */
  readonly characters: number;
  /** The length of the JSON of the sections, in bytes of UTF-8. */
  readonly bytes: number;
}

/** {@link Totals} of the sections of one name. */
export interface SectionTotals extends Totals {
  readonly section: string;
}

/** What conversations hold together. */
export interface Summary {
  readonly conversations: number;
  readonly sections: readonly SectionTotals[];
  readonly total: Totals;
  /** The number of conversations that have a parameter of this name. */
  readonly parameterCounts: Counts;
}

const NOTHING: Totals = {
  messages: 0,
  roles: {},
  parts: {},
  toolCalls: 0,
  toolResults: 0,
  characters: 0,
  bytes: 0,
};

/** Sums up conversations one by one, so that none needs to be kept. */
export class Summarizer {
  #conversations = 0;
  readonly #sections = new Map<string, Totals>();
  #parameterCounts: Counts = {};

  /** Counts one conversation. */
  add(store: MessageStore): void {
    this.#conversations++;
    for (const section of store.sections) {
      this.#sections.set(section.name, sum(this.#sections.get(section.name) ?? NOTHING, totalsOf(section)));
    }
    const parameters = Object.keys(store.parameters().get().toJSON());
    this.#parameterCounts = sumCounts(this.#parameterCounts, tally(parameters));
  }

  /** What was counted so far. */
  summary(): Summary {
    return {
      conversations: this.#conversations,
      sections: [...this.#sections].map(([section, totals]) => ({ section, ...totals })),
      total: [...this.#sections.values()].reduce(sum, NOTHING),
      parameterCounts: this.#parameterCounts,
    };
  }
}

function totalsOf(section: Section): Totals {
  const messages: readonly Message[] = [...section];
  const parts = messages.flatMap((message) => [...message.content.parts]).filter((part) => !part.isMark());
  return {
    messages: messages.length,
    roles: tally(messages.map(({ role }) => role)),
    parts: tally(parts.map(({ type }) => type)),
    toolCalls: messages.reduce((count, message) => count + message.toolCalls.size, 0),
    toolResults: messages.filter((message) => message.hasToolResult()).length,
    characters: parts.reduce((count, part) => count + codePoints(part.toString()), 0),
    bytes: Buffer.byteLength(JSON.stringify(section)),
  };
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

function tally(words: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function sum(a: Totals, b: Totals): Totals {
  return {
    messages: a.messages + b.messages,
    roles: sumCounts(a.roles, b.roles),
    parts: sumCounts(a.parts, b.parts),
    toolCalls: a.toolCalls + b.toolCalls,
    toolResults: a.toolResults + b.toolResults,
    characters: a.characters + b.characters,
    bytes: a.bytes + b.bytes,
  };
}

function sumCounts(a: Counts, b: Counts): Counts {
  const counts = new Map(Object.entries(a));
  for (const [word, count] of Object.entries(b)) counts.set(word, (counts.get(word) ?? 0) + count);
  return Object.fromEntries(counts);
}
