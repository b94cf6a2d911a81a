import type { ContentPart } from '../../model/content-part.ts';
import { KNOWN } from './encode-part.ts';
import { takeId } from './item-ids.ts';
import { copyWithout, fieldsOf, keptOf } from './origin.ts';
import type { Source } from './source.ts';
import type { ResponsesItem, ResponsesReasoning } from './wire.ts';

/** Whether a part is an item of this wire that has no meaning here. */
export function isRawItem({ type, origin }: ContentPart): boolean {
  const kept = keptOf(origin);
  return kept !== undefined && !kept.isPart && !KNOWN.includes(type);
}

/** An item as it came; undefined where its id is there already, and no other item may have it. */
export function encodeRawItem({ type, fields }: ContentPart, at: number, source: Source): ResponsesItem | undefined {
  const { id } = fields;
  if (type !== 'item_reference' && typeof id === 'string' && !takeId(id, '', at, source)) return undefined;
  return { type, ...copyWithout(fields, '_origin', 'created_by') } as unknown as ResponsesItem;
}

/** Reasoning as it came; undefined for what is not from here, which cannot be sent: it takes the provider's proof. */
export function encodeReasoning({ origin }: ContentPart): ResponsesReasoning | undefined {
  const item = fieldsOf(keptOf(origin)?.item);
  if (typeof item?.['id'] !== 'string' || !Array.isArray(item['summary'])) return undefined;
  return { ...copyWithout(item, 'created_by'), type: 'reasoning' } as ResponsesReasoning;
}
