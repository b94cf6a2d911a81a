import type { ContentPart } from '../../model/content-part.ts';
import { PARTS_BY_ROLE } from './encode-part.ts';
import { copyWithout, keptOf } from './origin.ts';
import { dropped, type Source, tell } from './source.ts';
import type { ResponsesItem } from './wire.ts';

const KNOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([...PARTS_BY_ROLE.user, ...PARTS_BY_ROLE.assistant]);

/** Whether a part is an item of this wire that has no meaning here. */
export function isRawItem({ type, origin }: ContentPart): boolean {
  const kept = keptOf(origin);
  return kept !== undefined && kept.input === undefined && !KNOWN.has(type);
}

/** An item as it came; undefined where it cannot go back, as the SDK's `toResponseInputItems` has it. */
export function encodeRawItem({ type, fields }: ContentPart, at: number, source: Source): ResponsesItem | undefined {
  const item = { type, ...copyWithout(fields, '_origin', 'created_by') };
  const { id, role, status } = fields;
  const { options, itemIds } = source.request;
  const isReference = type === 'item_reference';
  if (isReference && options.stored === false) return dropped(source, at, 'not-stored', 'a reference to an item');
  const isForResponses =
    (type === 'additional_tools' && role !== 'developer') || (type === 'computer_call_output' && status === 'failed');
  if (isForResponses) return dropped(source, at, 'response-only', `${type} that no request has`);
  if (typeof id === 'string' && !isReference && !itemIds.take(id)) {
    tell(source, at, 'item-id', 'dropped', `an item ${JSON.stringify(id)} is there already: left out`);
    return undefined;
  }
  return item as unknown as ResponsesItem;
}
