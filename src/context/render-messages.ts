import type { Content } from '../model/content.ts';
import { ContentParts } from '../model/content-parts.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { wellFormed } from '../schema/json.ts';

/** Gives the text that comes in the place of a text; `path` says where it stands: `messages[3].content[1]`. */
export type FillText = (text: string, path: string) => string;

/**
 * The messages with every text part's text filled; all else of them stays. A message in which nothing changes stays
 * the same instance, and so does the list.
 */
export function renderTexts(messages: Messages, fill: FillText): Messages {
  const rendered = messages.map((message, at) => renderMessage(message, `messages[${at}].content`, fill));
  return rendered.every((message, at) => message === messages.at(at)) ? messages : Messages.owning(rendered);
}

function renderMessage(message: Message, path: string, fill: FillText): Message {
  const { content } = message;
  const next =
    content.plainText === undefined ? renderParts(content, path, fill) : fillText(content.plainText, path, fill);
  return next === content || next === content.plainText ? message : message.withContent(next);
}

function renderParts(content: Content, path: string, fill: FillText): Content | ContentParts {
  const parts = content.parts.map((part, at) =>
    part.isTextPart() && part.hasText()
      ? part.withField('text', fillText(part.toString(), `${path}[${at}]`, fill))
      : part,
  );
  return parts.every((part, at) => part === content.parts.at(at)) ? content : ContentParts.owning(parts);
}

function fillText(text: string, path: string, fill: FillText): string {
  return wellFormed(fill(text, path), path);
}
