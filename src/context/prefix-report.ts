import type { Message } from '../model/message.ts';
import type { Section } from '../model/section.ts';
import { equalJson } from '../schema/json.ts';
import type { Assembly } from './assembly.ts';
import type { CacheMark } from './cache-marks.ts';
import type { Holder } from './mark-holder.ts';
import { linesOf, toldCall, toldContent } from './told.ts';

/** How much is shown of a text, and how much of that before the place where two part. */
const [MOST, AROUND] = [60, 20];

/** Where what is sent parts from what was sent before. */
export interface PrefixChange {
  /** The message, by its place among those that go out. */
  readonly at: number;
  /** The section that it is in; that it was in, where it is not there any more or stands elsewhere. */
  readonly section: string;
  /** What stood there. */
  readonly before: Message;
  /** What stands there; undefined where nothing does any more. */
  readonly after: Message | undefined;
  /** The same for people. */
  readonly message: string;
}

/** How much of a prompt begins as another did, and so can come from the provider's prompt cache. */
export interface PrefixReport {
  /** How many messages at the start are sent the same. */
  readonly shared: number;
  /** The marks of the earlier prompt up to which all is the same: what was cached there still serves. */
  readonly usable: readonly CacheMark[];
  /** The first message that differs; undefined where the later prompt begins with all of the earlier one. */
  readonly change: PrefixChange | undefined;
}

/**
 * Where two prompts part: what a provider has cached of the first serves the second only up to there. Identities,
 * times and metadata are not sent and do not count; nor do cache marks. Linear.
 *
 * @example
 * const system = (date: string) => Section.of('system', { role: 'system', content: `Today is ${date}.` });
 * const chat = Section.of('chat', 'Hello!');
 * const monday = assemble(MessageStore.fromSections(system('Monday'), chat));
 * const tuesday = assemble(MessageStore.fromSections(system('Tuesday'), chat));
 * prefixReport(monday, tuesday).change?.message // => 'messages[0] (system) changed: "Today is Monday." became "Today is Tuesday."'
 */
export function prefixReport(before: Assembly, after: Assembly): PrefixReport {
  let shared = 0;
  while (shared < before.messages.size && isSentAlike(before.messages.at(shared), after.messages.at(shared))) shared++;
  return {
    shared,
    usable: before.marks.filter(({ at }) => at < shared),
    change: shared < before.messages.size ? changeAt(shared, before, after) : undefined,
  };
}

function isSentAlike(a: Message | undefined, b: Message | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a === b || (a.role === b.role && a.name === b.name && equalJson(sentOf(a), sentOf(b)));
}

/** What of a message is sent beside its role and name, without cache marks. */
function sentOf({ content, toolCalls, toolResult, origin, extra }: Message): unknown[] {
  return [content.parts.map(unmarked), toolCalls.map(unmarked), toolResult && unmarked(toolResult), origin, extra];
}

function unmarked(holder: Holder): Readonly<Record<string, unknown>> {
  const json: Readonly<Record<string, unknown>> = { ...holder.toJSON() };
  const { cache_control: _own, prompt_cache_breakpoint: _other, ...fields } = json;
  return fields;
}

function changeAt(at: number, before: Assembly, after: Assembly): PrefixChange {
  const was = before.messages.at(at) as Message;
  const is = after.messages.at(at);
  const [about, where] = described(was, is, before, after);
  const section = sectionAt(at, where);
  return { at, section, before: was, after: is, message: `messages[${at}] (${section}) ${about}` };
}

/** What became of a message, and the prompt in which what is shown stands. */
function described(was: Message, is: Message | undefined, before: Assembly, after: Assembly): [string, Assembly] {
  if (is === undefined) return [`is not there any more: ${excerpt(wordsOf(was), 0)}`, before];
  const isStillThere = after.messages.hasId(was.id);
  if (was.id !== is.id && before.messages.hasId(is.id))
    return [`${isStillThere ? 'stands elsewhere now' : 'is left out'}: ${excerpt(wordsOf(was), 0)}`, before];
  if (was.id !== is.id && isStillThere) return [`is new, before what stood there: ${excerpt(wordsOf(is), 0)}`, after];
  return [changed(wordsOf(was), wordsOf(is)), after];
}

/** What a message says, its calls among it. */
function wordsOf({ content, toolCalls }: Message): string {
  return linesOf([toldContent(content), ...toolCalls.map(toldCall)]);
}

/** Long texts are shown from where they part. */
function changed(old: string, now: string): string {
  if (old === now) return `changed in something else than its words: ${excerpt(now, 0)}`;
  let at = 0;
  while (old[at] === now[at]) at++;
  return `changed: ${excerpt(old, at)} became ${excerpt(now, at)}`;
}

/** What stands around a place of a text. */
function excerpt(text: string, at: number): string {
  const start = at < MOST ? 0 : at - AROUND;
  const end = start + MOST;
  const around = text.slice(start, end).toWellFormed();
  return JSON.stringify(`${start > 0 ? '…' : ''}${around}${end < text.length ? '…' : ''}`);
}

function sectionAt(at: number, { sections }: Assembly): string {
  let end = 0;
  const section = sections.filter(({ messages }) => {
    end += messages.withoutEmptyMessages().size;
    return at < end;
  });
  return (section.first() as Section).name;
}
