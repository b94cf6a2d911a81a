import type { JsonValue } from '../../schema/json.ts';
import { copyWithout, fieldsOf, type Kept } from './origin.ts';
import { type At, type Source, tell } from './source.ts';

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64": ids of items, too. */
export const LONGEST = 64;

/**
 * Whether the id of an item may go out, which is there once in a request; told where not: "Invalid 'input[1].id':
 * Expected an ID that begins with 'msg'".
 */
export function takeId(id: JsonValue | undefined, prefix: string, at: At, source: Source): boolean {
  const { itemIds } = source;
  const isTaken = typeof id === 'string' && id.length <= LONGEST && id.startsWith(prefix) && !itemIds.has(id);
  if (isTaken) itemIds.add(id);
  else tell(source, at, 'item-id', 'dropped', `the id ${JSON.stringify(id)}: left out`);
  return isTaken;
}

/**
 * What an item brought along, as it came, without what only a response has. Its id is left out where the reasoning is not
 * there any more behind which it came: "Item 'fc_…' was provided without its required 'reasoning' item".
 */
export function besideItem(
  { item, after }: Kept,
  prefix: string,
  reasoning: string | undefined,
  at: At,
  source: Source,
): Record<string, JsonValue> {
  const fields = copyWithout(fieldsOf(item), 'created_by', 'parsed_arguments');
  const { id } = fields;
  const isBound = after !== undefined && after !== reasoning;
  if (typeof id === 'string' && !takeId(isBound ? null : id, prefix, at, source)) delete fields['id'];
  return fields;
}
