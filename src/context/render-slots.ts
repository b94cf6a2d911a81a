import { MessageStoreError } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import type { CanRenderMessages } from '../model/providers.ts';
import type { SectionPolicy } from '../schema/section.ts';
import { isUntrusted } from './from-untrusted.ts';
import type { Slot } from './slot.ts';

/** What templates are filled with. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** The slots with their templates filled in, headings among them. Messages without a variable stay the same. */
export function renderSlots(slots: readonly Slot[], renderer: CanRenderMessages, values: TemplateValues): Slot[] {
  return slots.map((slot) => {
    const { name, policy, before, after } = slot;
    const render = (messages: Messages, list: string, isOne: (message: Message) => boolean) =>
      renderEach(messages, joinPath('sections', name) + list, isOne, (one) => renderer.renderMessages(one, values));
    return {
      ...slot,
      before: render(before, '.before', isOwn),
      after: render(after, '.after', isOwn),
      messages: render(slot.messages, '.messages', (message) => isTemplate(message, policy)),
    };
  });
}

/**
 * Whether the text of a message is a template: text of users, tools and models only where the section says so, and what
 * came from a client never.
 */
function isTemplate(message: Message, { trust }: SectionPolicy): boolean {
  return (trust ?? message.isSystem()) && isOwn(message);
}

function isOwn(message: Message): boolean {
  return !isUntrusted(message);
}

/** A list with its templates rendered; itself where none changes, so that long histories are only looked over. */
function renderEach(
  messages: Messages,
  path: string,
  isOne: (message: Message) => boolean,
  render: (message: Messages) => Messages,
): Messages {
  const changed = new Map<number, Messages>();
  messages.forEach((message, at) => {
    if (!isOne(message)) return;
    const rendered = placed(`${path}[${at}]`, () => render(Messages.of(message)));
    if (rendered.size !== 1 || rendered.at(0) !== message) changed.set(at, rendered);
  });
  if (changed.size === 0) return messages;
  return Messages.owning([...messages].flatMap((message, at) => [...(changed.get(at) ?? [message])]));
}

/** What a renderer gives for the message at a path; its errors name the path in the list of one that it was given. */
function placed<T>(path: string, render: () => T): T {
  try {
    return render();
  } catch (cause) {
    if (!MessageStoreError.isInstance(cause) || !cause.path.startsWith('messages[0]')) throw cause;
    const inside = cause.path.slice('messages[0]'.length);
    const message = cause.message.replace(cause.path, () => path + inside);
    throw new MessageStoreError(cause.code, message, { path: path + inside, value: cause.value, cause });
  }
}
