import { MessageStoreError } from '../errors.ts';

/** As much of a message as is needed to join texts. */
interface Speaking {
  isComposite(): boolean;
  toString(): string;
}

/** As much of a message object as is needed to show it as text. */
export interface MessageLike {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** Message objects as text: blank ones are left out. A renderer owns the separation, and is given composites too. */
export function renderText(
  messages: readonly MessageLike[],
  separator: string,
  renderer: (message: MessageLike) => string = (message) => plainText(message) + separator,
): string {
  return messages
    .filter(({ content }) => !isBlank(content))
    .map(renderer)
    .join('');
}

function isBlank(content: unknown): boolean {
  return (
    content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)
  );
}

function plainText({ content }: MessageLike): string {
  if (typeof content === 'string') return content;
  throw new MessageStoreError(
    'composite_text',
    'a composite message (its content is no text) needs a renderer: pass one to Messages.asString()',
    { value: content },
  );
}

/** The texts of messages, each followed by the separator; those without text are left out. */
export function joinTexts(messages: Iterable<Speaking>, separator: string): string {
  let text = '';
  let at = 0;
  for (const message of messages) {
    if (message.isComposite()) rejectComposite(at);
    const own = message.toString();
    if (own !== '') text += own + separator;
    at++;
  }
  return text;
}

function rejectComposite(at: number): never {
  throw new MessageStoreError(
    'composite_text',
    `[${at}]: a composite message (several parts, or media) has no plain text. Use toJSON(), or Messages.asString() with a renderer.`,
    { path: `[${at}]` },
  );
}
