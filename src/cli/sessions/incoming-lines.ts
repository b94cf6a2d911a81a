import { isRecord } from '../../schema/json.ts';
import type { Op } from '../../storage/storage.ts';
import { Failure } from '../failure.ts';
import type { Document } from '../input/open-documents.ts';

/** The changes that an exported session is made of. */
const KINDS: ReadonlySet<unknown> = new Set(['section', 'param', 'node', 'place', 'label', 'draft', 'leaf']);

/**
 * The changes of an exported session, whose header was read already: up to its leaf.
 *
 * @throws Failure naming the place of what is no change; and where the file ends before the leaf
 */
export async function* opsUpToLeaf(lines: AsyncIterator<Document>, place: string): AsyncGenerator<Op, void, undefined> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const op = opOf(next.value);
    yield op;
    if (op.op === 'leaf') return;
  }
  throw new Failure(place, 'the file ends in the midst of this session: export it again');
}

function opOf(document: Document): Op {
  const { value } = document.parse();
  if (isRecord(value) && KINDS.has(value['op'])) return value as unknown as Op;
  throw new Failure(document.place, 'expected a line of an exported session, such as {"op":"node", …}');
}
