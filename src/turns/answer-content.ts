import { Content } from '../model/content.ts';
import { ContentPart } from '../model/content-part.ts';
import { ContentParts } from '../model/content-parts.ts';
import { copyJson } from '../schema/json.ts';

/** What a tool may answer: text, content of our own, any JSON value, or nothing. */
export type AnswerValue = unknown;

/** An answer as content: text and content as they are, nothing as `''`, any other value as compact JSON. */
export function answerContent(value: AnswerValue): Content {
  if (value === undefined) return Content.text('');
  if (typeof value === 'string' || value instanceof Content) return Content.from(value, 'answer');
  if (value instanceof ContentPart || value instanceof ContentParts) return Content.from(value);
  return Content.text(JSON.stringify(copyJson(value, 'answer')));
}
