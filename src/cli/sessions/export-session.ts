import { headOf } from '../../storage/read-nodes.ts';
import type {
  Op,
  SectionRecord,
  SessionExtras,
  SessionHead,
  SessionStorage,
  StoredNode,
} from '../../storage/storage.ts';
import { note, type Output } from '../output.ts';
import { nodePages } from './read-store.ts';
import { headerOf } from './session-header.ts';

/**
 * Prints all of a session: a header, and a line for each change that makes it. What others write meanwhile is not in
 * it, which is told on standard error.
 */
export async function exportSession(storage: SessionStorage, id: string, output: Output): Promise<void> {
  const head = await headOf(storage, id);
  const extras = await storage.extras(id);
  await output.write(linesOf([headerOf(head), ...declarations(extras)]));
  for await (const ops of nodeOps(storage, head, extras)) await output.write(linesOf(ops));
  await output.write(linesOf([...endOf(head, extras)]));
  if ((await storage.head(id))?.version !== head.version)
    await note(`session ${JSON.stringify(id)}: others wrote while it was exported: export it again to have all`);
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function declarations({ sections, params }: SessionExtras): Op[] {
  return [
    ...sections.map(({ name, policy, extra }: SectionRecord): Op => ({
      op: 'section',
      name,
      ...(policy && { policy }),
      ...(extra && { extra }),
    })),
    ...Object.entries(params).map(([key, value]): Op => ({ op: 'param', key, value })),
  ];
}

/** The leaf comes last: without it the file was cut off. */
function endOf({ leaf }: SessionHead, { drafts }: SessionExtras): Op[] {
  return [...drafts.map((node): Op => ({ op: 'draft', id: node.id, node })), { op: 'leaf', to: leaf }];
}

/** The nodes in their order, among them those that stand in another section too. */
async function* nodeOps(
  storage: SessionStorage,
  { id, seq }: SessionHead,
  { labels, sections }: SessionExtras,
): AsyncGenerator<readonly Op[], void, undefined> {
  const names = sections.map(({ name }) => name);
  let after = -1;
  for await (const nodes of nodePages(storage, id, { before: seq + 1 })) {
    const last = nodes.at(-1)?.seq ?? after;
    const placed = await placesIn(storage, id, names, nodes, { after, before: last + 1 });
    const present = await parentsOf(storage, id, nodes);
    const ops = nodes.map((node) => ({ seq: node.seq, ops: opsOfNode(node, labels, present) }));
    yield [...ops, ...placed].toSorted((a, b) => a.seq - b.seq).flatMap((each) => each.ops);
    after = last;
  }
  yield (await placesIn(storage, id, names, [], { after, before: seq + 1 })).flatMap(({ ops }) => ops);
}

interface OpsAt {
  readonly seq: number;
  readonly ops: readonly Op[];
}

/** Where nodes stand a second time: what a section has at a place in the order that is no node's own. */
async function placesIn(
  storage: SessionStorage,
  id: string,
  sections: readonly string[],
  nodes: readonly StoredNode[],
  range: { readonly after: number; readonly before: number },
): Promise<OpsAt[]> {
  const own = new Set(nodes.map(({ seq }) => seq));
  const found: OpsAt[] = [];
  for (const section of sections)
    for await (const page of nodePages(storage, id, { ...range, section }))
      for (const node of page)
        if (!own.has(node.seq)) found.push({ seq: node.seq, ops: [{ op: 'place', id: node.id, section }] });
  return found.toSorted((a, b) => a.seq - b.seq);
}

/** The parents of these nodes that are there. */
async function parentsOf(
  storage: SessionStorage,
  session: string,
  nodes: readonly StoredNode[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Set(nodes.map(({ parentId }) => parentId).filter((parentId) => parentId !== null));
  const parents = await storage.nodes(session, [...ids]);
  return new Map(parents.filter((parent) => parent !== null).map(({ id, seq }) => [id, seq]));
}

/** What hung below a message that is missing, or younger, becomes a root: as it is read. */
function opsOfNode(
  { id, parentId, section, type, at, data, seq }: StoredNode,
  labels: SessionExtras['labels'],
  parents: ReadonlyMap<string, number>,
): Op[] {
  const isThere = parentId !== null && (parents.get(parentId) ?? Infinity) < seq;
  const node: Op = { op: 'node', node: { id, parentId: isThere ? parentId : null, section, type, at, data } };
  const label = Object.hasOwn(labels, id) ? labels[id] : undefined;
  return label === undefined ? [node] : [node, { op: 'label', target: id, label }];
}
