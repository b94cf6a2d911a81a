import { encodeInput } from './encode-part.ts';
import { type Kept, keptOf } from './origin.ts';
import { encodeRawItem, isRawItem } from './raw-item.ts';
import { loseEmptied, loseRest, type Source } from './source.ts';
import type { ResponsesInputPart, ResponsesItem, ResponsesMessage } from './wire.ts';

/** What the user says, or whoever instructs: a message, and items of this wire that stand in it. */
export function encodeSaid(source: Source, role: ResponsesMessage['role']): ResponsesItem[] {
  const { content, origin } = source.message;
  loseRest(source);
  const kept = keptOf(origin);
  const isText = kept?.item === undefined || kept.content !== undefined;
  if (isText && content.plainText !== undefined) return [framed({ role, content: content.plainText }, kept, source)];
  const items: ResponsesItem[] = [];
  let parts: ResponsesInputPart[] = [];
  const close = (): void => {
    if (parts.length > 0) items.push(framed({ role, content: parts }, items.length === 0 ? kept : undefined, source));
    parts = [];
  };
  content.parts.forEach((part, at) => {
    if (part.isMark()) return;
    if (isRawItem(part)) close();
    const raw = isRawItem(part) ? encodeRawItem(part, at, source) : undefined;
    if (raw !== undefined) items.push(raw);
    const wire = isRawItem(part) ? undefined : encodeInput(part, at, source);
    if (wire !== undefined) parts.push(wire);
  });
  close();
  if (items.length > 0) return items;
  if (content.isEmpty()) return [{ role, content: '' }];
  loseEmptied(source);
  return items;
}

/** A message with what it brought along. */
function framed(message: ResponsesMessage, kept: Kept | undefined, source: Source): ResponsesMessage {
  if (kept?.item === undefined) return message;
  return { ...source.request.itemIds.beside(kept, 'msg', undefined, '', source), ...message };
}
