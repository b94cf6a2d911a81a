import { joinPath } from '../internal/path.ts';
import { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import type { SectionPolicy } from '../schema/section.ts';
import { policyOf, type SectionPolicies } from './policy.ts';

/** What stands before and behind a section that has messages: a text of the user, or a message. */
export interface Heading {
  readonly before?: string | Message | undefined;
  readonly after?: string | Message | undefined;
}

/** A section on its way into a prompt. */
export interface Slot {
  readonly name: string;
  readonly policy: SectionPolicy;
  /** What stands before and behind its messages, where there are some. */
  readonly before: Messages;
  readonly after: Messages;
  /** Its messages. */
  readonly messages: Messages;
}

/** Which sections go out, and how they are treated. */
export interface SlotOptions {
  /**
   * The sections that go out, in this order: names, or one of the {@link layouts}. Those that are missing are skipped.
   * Default: all of them, in the order of the store.
   */
  readonly sections?: readonly string[] | undefined;
  /** Policies of sections, over those that are stored with them. */
  readonly policies?: SectionPolicies | undefined;
  /** What stands before and behind sections, by their names: only where they have messages, and no filled section `pre-name` or `post-name` goes out for it. */
  readonly headings?: Readonly<Record<string, Heading>> | undefined;
}

/**
 * The sections of a store that go out.
 *
 * @throws InvalidInputError `invalid_policy`; and naming the heading that is none
 */
export function slotsOf(store: MessageStore, { sections = [], policies = {}, headings = {} }: SlotOptions): Slot[] {
  const selected = store.select(sections);
  return selected.sections.map((section) => {
    const { name } = section;
    const heading = Object.hasOwn(headings, name) ? headings[name] : undefined;
    return {
      name,
      policy: policyOf(section, policies),
      before: headingOf(selected, name, 'before', heading),
      after: headingOf(selected, name, 'after', heading),
      messages: section.messages,
    };
  });
}

function headingOf(selected: MessageStore, name: string, side: keyof Heading, heading: Heading = {}): Messages {
  const given = heading[side];
  const own = `${side === 'before' ? 'pre' : 'post'}-${name}`;
  if (given === undefined || selected.section(own).isNotEmpty()) return Messages.empty();
  if (typeof given === 'string') return Messages.of(said(given, own));
  return Messages.of(Message.from(given, undefined, undefined, `${joinPath('headings', name)}.${side}`));
}

/** Always the same message, so that the same prompt is assembled of the same store. */
function said(content: string, name: string): Message {
  return Message.of({ id: `heading:${name}`, createdAt: new Date(0), content });
}

/** A slot without the messages that say nothing. */
export function spoken({ before, after, messages, ...slot }: Slot): Slot {
  return {
    ...slot,
    before: before.withoutEmptyMessages(),
    after: after.withoutEmptyMessages(),
    messages: messages.withoutEmptyMessages(),
  };
}

/** All that goes out of a slot, where its messages are these. */
export function filled({ before, after }: Slot, messages: Messages): Messages {
  return messages.size === 0 ? messages : before.appendMessages(messages).appendMessages(after);
}
