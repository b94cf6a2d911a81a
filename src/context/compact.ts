import { reject } from '../errors.ts';
import type { PlatformAbortSignal } from '../internal/platform.ts';
import { Message, type MessageInput } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import type { Section } from '../model/section.ts';
import { Sections } from '../model/sections.ts';
import type { SectionPolicy } from '../schema/section.ts';
import { leadOfSlot } from './claim.ts';
import { newestWithin } from './newest-within.ts';
import { isTokens, policyOf } from './policy.ts';
import type { MessageCounter } from './token-counter.ts';
import { tokenEstimate } from './token-estimate.ts';
import { toldContent } from './told.ts';
import { TokenSums } from './token-sums.ts';
import { transcript } from './transcript.ts';

/** Where old messages go. */
export interface OverflowOptions {
  /** The section that grows. Default: `messages`. */
  readonly from?: string | undefined;
  /** The section that takes what overflows. Default: `buffer`. */
  readonly buffer?: string | undefined;
  /** The tokens that stay in the section that grows. Default: 4 096. */
  readonly keep?: number | undefined;
  /** What counts tokens. Default: {@link tokenEstimate}. */
  readonly counter?: MessageCounter | undefined;
}

/** What is to be summarised. */
export interface SummaryInput {
  /** The summary so far, and what is new behind it. */
  readonly messages: Messages;
  /** The same as plain text, tool calls and answers told in words. */
  readonly text: string;
  /** How many tokens the summary may have. */
  readonly tokens: number;
  readonly signal: PlatformAbortSignal | undefined;
}

/** How the buffer becomes a summary. */
export interface SummaryOptions {
  /** The section that is summarised. Default: `buffer`. */
  readonly buffer?: string | undefined;
  /** The section that holds the summary, before the others. Default: `summary`. */
  readonly summary?: string | undefined;
  /** The tokens that the buffer may hold before it is summarised. Default: 8 192. */
  readonly hold?: number | undefined;
  /** How many tokens the summary is asked to have at most. Default: 512. */
  readonly tokens?: number | undefined;
  /** What counts tokens. Default: {@link tokenEstimate}. */
  readonly counter?: MessageCounter | undefined;
  /**
   * Asks a model for the summary: a text, which becomes a message of the user, or a message. Instructions are no template
   * then: their section is given the policy `trust: false`, where it says nothing else.
   */
  readonly summarize: (input: SummaryInput) => MessageInput | Promise<MessageInput>;
  /** Ends the wait: what is thrown then is the signal's reason. */
  readonly signal?: PlatformAbortSignal | undefined;
}

/** How a conversation is kept short. */
export interface CompactOptions extends OverflowOptions, SummaryOptions {}

/**
 * The store with what overflows a section moved into the buffer, and the buffer summarised where it is full: whole
 * exchanges, the oldest first; the newest, and instructions at the start, stay. Itself where nothing exceeds its limit.
 * The summary stands before the buffer, and that before the section. It is {@link moveOverflow} and then
 * {@link summarizeBuffer}: call these where the store is to be kept in between.
 *
 * @throws what `summarize` throws; the reason of the signal; InvalidInputError naming what is wrong with the options or policies
 *
 * @example
 * const store = MessageStore.fromMessages(['One', 'Two', 'Three'], 'messages');
 * const compacted = await compact(store, { keep: 6, hold: 0, summarize: ({ messages }) => `${messages.size} messages` });
 * compacted.toMessages().map(String) // => ['2 messages', 'Three']
 */
export function compact(store: MessageStore, options: CompactOptions): Promise<MessageStore> {
  const { from = 'messages' } = options;
  return summarizeBefore(moveOverflow(store, options), options, from);
}

/**
 * The store with the oldest exchanges of a section moved to the end of the buffer, until the section is within its
 * limit; itself where it is, and where the section is pinned. Texts stay templates, or none: the policy `trust` goes along
 * to a buffer that has none of its own.
 */
export function moveOverflow(store: MessageStore, options: OverflowOptions = {}): MessageStore {
  const { from = 'messages', buffer = 'buffer', keep = 4096, counter = tokenEstimate } = options;
  requireTokens(keep, 'keep');
  requireOthers([from, buffer]);
  const section = store.section(from).get();
  const { messages } = section;
  const policy = policyOf(section);
  const lead = leadOfSlot({ policy, messages });
  const start = newestWithin(messages, lead, keep, TokenSums.of(counter));
  if (start === lead) return store;
  const stays = messages.slice(0, lead).appendMessages(messages.slice(start));
  const moved = trusted(store.section(buffer).get(), policy).appendMessages(messages.slice(lead, start));
  return putBefore(store.section(from).setMessages(stays), moved, [from]);
}

/** A buffer in which texts are templates where they were; what it holds already does not become one. */
function trusted(buffer: Section, { trust }: SectionPolicy): Section {
  const isSettled = trust === undefined || policyOf(buffer).trust !== undefined;
  return isSettled || (trust && !buffer.isEmpty()) ? buffer : buffer.withPolicy({ ...buffer.policy, trust });
}

/**
 * The store with its buffer emptied, and a summary of the one before and of the buffer; itself where the buffer is
 * within its limit. The buffer stays, empty.
 *
 * @throws what `summarize` throws; the reason of the signal; InvalidInputError where the summary says nothing
 */
export function summarizeBuffer(store: MessageStore, options: SummaryOptions): Promise<MessageStore> {
  return summarizeBefore(store, options);
}

async function summarizeBefore(
  store: MessageStore,
  options: SummaryOptions,
  ...followers: readonly string[]
): Promise<MessageStore> {
  const {
    buffer = 'buffer',
    summary = 'summary',
    hold = 8192,
    tokens = 512,
    counter = tokenEstimate,
    signal,
  } = options;
  requireTokens(hold, 'hold');
  requireTokens(tokens, 'tokens');
  requireOthers([buffer, summary, ...followers]);
  if (typeof options.summarize !== 'function') reject('summarize', 'a function', options.summarize);
  const waiting = store.section(buffer);
  if (waiting.messages().size === 0 || TokenSums.of(counter).total(waiting.messages()) <= hold) return store;
  requireGoing(signal);
  const messages = store.section(summary).messages().appendMessages(waiting.messages());
  const made = await untilAborted(options.summarize({ messages, text: transcript(messages), tokens, signal }), signal);
  const message = Message.from(made, undefined, undefined, 'summarize()');
  if (!/\S/.test(toldContent(message.content)))
    reject('summarize()', 'a summary that says something: what it stands for is left out', made);
  const section = withSummary(store.section(summary).get(), message);
  return putBefore(waiting.clear(), section, [buffer, ...followers]);
}

/** The section with its summary. Instructions that a model wrote, of what users said, are no templates. */
function withSummary(section: Section, message: Message): Section {
  const next = section.withMessages(Messages.of(message));
  return message.isSystem() ? next.withPolicy({ trust: false, ...section.policy }) : next;
}

function requireTokens(value: number, path: string): void {
  if (!isTokens(value)) reject(path, 'tokens: a number from 0 on', value);
}

function requireOthers(names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) reject('', 'another section for each purpose', twice);
}

function requireGoing(signal: PlatformAbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

/** What is waited for, unless the signal aborts before: then its reason is thrown. */
async function untilAborted<T>(work: T | Promise<T>, signal: PlatformAbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop!: () => void;
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    const made = await Promise.race([work, aborted]);
    requireGoing(signal);
    return made as T;
  } catch (error) {
    requireGoing(signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A section in its place, where that is before others, else put before them. */
function putBefore(store: MessageStore, section: Section, others: readonly string[]): MessageStore {
  const names = store.sections.names();
  const first = names.findIndex((name) => others.includes(name));
  const own = names.indexOf(section.name);
  if (first < 0 || (own >= 0 && own < first)) return store.setSection(section);
  const rest = [...store.sections.remove(({ name }) => name === section.name)];
  return store.withSections(Sections.distinct(rest.toSpliced(first, 0, section)));
}
