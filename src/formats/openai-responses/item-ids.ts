import { type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import { copyWithout, fieldsOf, type Kept } from './origin.ts';
import { type At, type Source, tell } from './source.ts';

const LONGEST = 64;

/** What only a response has. */
const RESPONSE_ONLY = ['created_by', 'parsed_arguments'];

/** The ids of the items in a request, each of which may be there once. */
export class ItemIds {
  readonly #used = new Set<string>();

  /** Whether an id may go out, which it then has: "Invalid 'input[1].id': Expected an ID that begins with 'msg'". */
  take(id: unknown, prefix = ''): boolean {
    const isTaken = typeof id === 'string' && id.length <= LONGEST && id.startsWith(prefix) && !this.#used.has(id);
    if (isTaken) this.#used.add(id);
    return isTaken;
  }

  /**
   * What an item brought along, as it came. Its id is left out where the reasoning is not there any more behind which it
   * came: "Item 'fc_…' was provided without its required 'reasoning' item".
   */
  beside(
    { item, after }: Kept,
    prefix: string,
    reasoning: string | undefined,
    at: At,
    source: Source,
  ): Record<string, JsonValue> {
    const fields = copyWithout(fieldsOf(item) ?? NO_FIELDS, ...RESPONSE_ONLY);
    const { id } = fields;
    if (id === undefined || id === null) return fields;
    const isBound = after !== undefined && after !== reasoning;
    if (!isBound && this.take(id, prefix)) return fields;
    tell(source, at, 'item-id', 'dropped', `the id ${JSON.stringify(id)} is not taken here: left out`);
    delete fields['id'];
    return fields;
  }
}
