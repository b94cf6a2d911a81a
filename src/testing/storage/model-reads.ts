import type { JsonValue } from '../../schema/json.ts';
import type { PathQuery, ScanQuery, SessionHead, SessionStorage, StoredNode } from '../../storage/storage.ts';
import { holds } from './check.ts';
import { STEP_SECTIONS } from './model-steps.ts';
import { SessionUnderTest } from './session.ts';

/** One thing that is read of two storages and must be the same. */
export interface Read {
  readonly what: string;
  of(storage: SessionStorage): Promise<unknown>;
}

/** What is looked at of a session whose nodes are these; `turn` varies what would be too much to look at each time. */
export function readsOf(session: string, ids: readonly string[], turn: number): Read[] {
  const some = ids.filter((_, at) => (at + turn) % Math.max(1, Math.ceil(ids.length / 3)) === 0);
  return [
    { what: 'head', of: async (storage) => withoutClock(await storage.head(session)) },
    { what: 'extras', of: async (storage) => extrasOf(storage, session) },
    { what: 'nodes', of: async (storage) => (await storage.nodes(session, [...ids, 'unknown'])).map(plainOrNull) },
    { what: 'problems', of: async (storage) => (await storage.problems(session)).items.length },
    ...scans(some, turn).map((query) => scanRead(session, query)),
    ...paths(some, turn).map((query) => pathRead(session, query)),
  ];
}

/** The sessions of a prefix, as a list gives them, in an order that no clock makes. */
export function listRead(prefix: string, limit: number): Read {
  return {
    what: `list, ${limit} a page`,
    of: async (storage) => {
      const heads: SessionHead[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await storage.list({ prefix, limit, ...(cursor !== undefined && { cursor }) });
        heads.push(...page.items);
        cursor = page.next;
      }
      return heads.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(withoutClock);
    },
  };
}

function scans(some: readonly string[], turn: number): ScanQuery[] {
  const dir = turn % 2 === 0 ? 'asc' : 'desc';
  const section = STEP_SECTIONS[turn % STEP_SECTIONS.length] ?? '';
  const limit = 1 + (turn % 3);
  return [
    {},
    { limit, dir },
    { leaves: true },
    { leaves: true, limit, dir },
    ...STEP_SECTIONS.map((name) => ({ section: name })),
    { section, limit, dir },
    { section, leaves: true },
    { section: 'unknown' },
    ...[null, 'unknown', ...some].map((parent) => ({ parent, limit })),
    ...some.map((parent) => ({ parent, section, dir }) as const),
    { limit: 0 },
  ];
}

function paths(some: readonly string[], turn: number): PathQuery[] {
  const section = STEP_SECTIONS[turn % STEP_SECTIONS.length] ?? '';
  const [stopAt = 'unknown'] = some;
  return [
    {},
    { limit: 1 + (turn % 3) },
    { section },
    { section, limit: 2 },
    { stopAt },
    { stopAt, limit: 1, section },
    { to: 'unknown' },
    { to: null },
    ...some.map((to) => ({ to })),
    ...some.map((to) => ({ to, stopAt, limit: 2 })),
  ];
}

function scanRead(session: string, query: ScanQuery): Read {
  return {
    what: `scan ${JSON.stringify(query)}`,
    of: async (storage) => {
      const found = await new SessionUnderTest(storage, session).scanAll(query);
      const seqs = found.map(({ seq }) => seq);
      const sorted = seqs.toSorted((a, b) => (query.dir === 'desc' ? b - a : a - b));
      holds(
        seqs.every((seq, at) => seq === sorted[at]) && new Set(seqs).size === seqs.length,
        `scan ${JSON.stringify(query)}: expected an order by seq, got ${JSON.stringify(seqs)}`,
      );
      return found.map(plain);
    },
  };
}

function pathRead(session: string, query: PathQuery): Read {
  return {
    what: `path ${JSON.stringify(query)}`,
    of: async (storage) => {
      const { items, truncated } = await storage.path(session, query);
      return { items: items.map(plain), truncated };
    },
  };
}

/** What a head says beside times, epochs and places in an order that may have gaps. */
function withoutClock(head: SessionHead | null): JsonValue {
  if (head === null) return null;
  const { id, version, leaf, nodeCount, bytes, forkedFrom, meta } = head;
  return { id, version, leaf, nodeCount, bytes, meta, forkedFrom: forkedFrom && { ...forkedFrom } };
}

function plain({ id, parentId, section, type, at, data, depth, bytes }: StoredNode): JsonValue {
  return [id, parentId, section, type, at, JSON.stringify(data), depth, bytes];
}

function plainOrNull(node: StoredNode | null): JsonValue {
  return node && plain(node);
}

async function extrasOf(storage: SessionStorage, session: string): Promise<unknown> {
  const { drafts, ...extras } = await storage.extras(session);
  return { ...extras, drafts: drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}
