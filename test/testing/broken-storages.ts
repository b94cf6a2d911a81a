/** Storages that each break one promise, and the cases of the suite that must find it. */
import { type Commit, type Op, type SessionStorage, StorageError, type StoredNode } from 'message-store';

/** What a defect does to an instance: the first one that was opened over the place is number 0. */
type Defect = (real: SessionStorage, instance: number) => Partial<SessionStorage>;

/** A storage that breaks a promise. */
export interface BrokenStorage {
  readonly defect: string;
  /** The cases that must fail. */
  readonly cases: readonly string[];
  readonly breaks: Defect;
}

const broken = (defect: string, cases: string, breaks: Defect): BrokenStorage => ({
  defect,
  cases: cases.split(' '),
  breaks,
});

/** Each change of a commit becomes these. */
const inOps = (change: (op: Op, at: number, ops: readonly Op[]) => readonly Op[]): Defect =>
  inCommit((commit) => ({ ...commit, ops: commit.ops.flatMap(change) }));
const inCommit =
  (change: (commit: Commit) => Commit): Defect =>
  (real) => ({
    commit: async (id, commit, options) =>
      real.commit(id, Array.isArray(commit.ops) ? change(commit) : commit, options),
  });
const without = (isGone: (op: Op) => boolean): Defect => inOps((op) => (isGone(op) ? [] : [op]));
const inData = (change: (data: any) => any): Defect =>
  inOps((op) => [op?.op === 'node' && op.node ? { op: 'node', node: { ...op.node, data: change(op.node.data) } } : op]);
const inNodes =
  (change: (node: StoredNode) => StoredNode): Defect =>
  (real) => ({
    nodes: async (id, ids) => (await real.nodes(id, ids)).map((node) => node && change(node)),
  });
const inSessionIds =
  (change: (id: any) => string): Defect =>
  (real) => ({
    create: async (id, init) => real.create(change(id), init),
    head: async (id) => real.head(change(id)),
    commit: async (id, commit, options) => real.commit(change(id), commit, options),
    scan: async (id, query) => real.scan(change(id), query),
  });
/** Without one of its fields. */
function omit<T extends object>(from: T | undefined, field: keyof T): T {
  const rest = { ...from } as T;
  delete rest[field];
  return rest;
}

/** What comes instead of an error of this code. */
async function instead<T>(of: Promise<T>, code: string, then: () => Promise<T>): Promise<T> {
  try {
    return await of;
  } catch (error) {
    if ((error as StorageError).code === code) return then();
    throw error;
  }
}

const expecting = (change: (expect: Commit['expect'] & {}) => Commit['expect'] & {}): Defect =>
  inCommit((commit) => ({ ...commit, expect: change(commit.expect ?? {}) }));
const swallowing =
  (code: string, then: Defect): Defect =>
  (real, instance) => ({
    commit: async (...given) =>
      instead(real.commit(...given), code, async () => then(real, instance).commit!(...given)),
  });

/** Those of S1. */
const basics = [
  broken('forgets what a session begins with', 's1-01 s1-16a', (real) => ({ create: async (id) => real.create(id) })),
  broken('creates over what is there', 's1-02a s1-02b', (real) => ({
    create: async (id, init) =>
      real.create(id, init).catch(async () => {
        await real.delete(id);
        return real.create(id, init);
      }),
  })),
  broken('makes a session of every id that is asked for', 's1-03', (real) => ({
    head: async (id) => (await real.head(id)) ?? real.create(id),
  })),
  broken('says that there is something in an empty session', 's1-04', () => ({
    problems: async () => ({ items: [], next: '0' }),
  })),
  broken(
    'miscounts depths',
    's1-05',
    inNodes((node) => ({ ...node, depth: node.depth + 1 })),
  ),
  broken(
    'loses a node of a batch',
    's1-06 s3-36',
    inOps((op, at, ops) => (at === 1 && ops.length > 2 ? [] : [op])),
  ),
  broken('makes the changes of a commit one by one', 's1-07a s3-36', (real) => ({
    commit: async (id, commit, options) => {
      let result;
      for (const [at, op] of commit.ops.entries())
        result = await real.commit(id, { ...commit, id: `${commit.id}${at}`, ops: [op] }, options);
      return result ?? real.commit(id, commit, options);
    },
  })),
  broken('hangs a node below nothing where its parent is missing', 's1-07b', (real) => ({
    commit: async (id, commit, options) =>
      instead(real.commit(id, commit, options), 'PARENT_NOT_FOUND', async () => {
        const ops = commit.ops.map((op) => (op.op === 'node' ? { ...op, node: { ...op.node, parentId: null } } : op));
        return real.commit(id, { ...commit, ops });
      }),
  })),
  broken('does not count a commit without changes', 's1-08', (real) => ({
    commit: async (id, commit, options) => {
      if (commit.ops.length > 0) return real.commit(id, commit, options);
      const { version, leaf } = (await real.head(id))!;
      return { status: 'applied', version, leaf, durable: 'memory', nodes: [] };
    },
  })),
  broken('gives nodes in its own order', 's1-09', (real) => ({
    nodes: async (id, ids) => real.nodes(id, ids.toSorted()),
  })),
  broken('scans in one direction only', 's1-10a', (real) => ({
    scan: async (id, query) => real.scan(id, omit(query, 'dir')),
  })),
  broken('never says where the next page begins', 's1-10a s1-10f', (real) => ({
    scan: async (id, query) => ({ ...(await real.scan(id, query)), next: null }),
  })),
  broken('begins a page at the cursor, not behind it', 's1-10b s1-10d', (real) => ({
    scan: async (id, query = {}) =>
      real.scan(id, query.after === undefined ? query : { ...query, after: query.after - 1 }),
  })),
  broken('takes the limit 0 for none', 's1-10c', (real) => ({
    scan: async (id, query = {}) => real.scan(id, query.limit === 0 ? { ...query, limit: 1 } : query),
  })),
  broken('ignores the section of a scan', 's1-10e s2-25c', (real) => ({
    scan: async (id, query) => real.scan(id, omit(query, 'section')),
  })),
  broken('takes every node for a leaf', 's1-10f', (real) => ({
    scan: async (id, query = {}) => real.scan(id, { ...query, leaves: false }),
  })),
  broken(
    'moves no leaf before the first node',
    's1-11a',
    without((op) => op?.op === 'leaf' && op.to === null),
  ),
  broken('forgets the leaf when it is opened again', 's1-11b', (real, instance) => ({
    head: async (id) => {
      const head = await real.head(id);
      const [last] = head === null || instance === 0 ? [] : (await real.scan(id, { dir: 'desc', limit: 1 })).items;
      return head && last ? { ...head, leaf: last.id } : head;
    },
  })),
  broken(
    'moves the leaf always',
    's1-11c',
    inCommit((commit) => ({ ...commit, keepLeaf: false })),
  ),
  broken('knows one path only', 's1-12a', (real) => ({
    path: async (id, query) => real.path(id, omit(query, 'to')),
  })),
  broken('takes the oldest of a path for the newest', 's1-12b', (real) => ({
    path: async (id, { limit, ...query } = {}) => {
      const { items } = await real.path(id, query);
      return { items: items.slice(0, limit), truncated: limit !== undefined && items.length > limit };
    },
  })),
  broken('never says that there is more of a path', 's1-12b', (real) => ({
    path: async (id, query) => ({ ...(await real.path(id, query)), truncated: false }),
  })),
  broken('limits a path before it chooses the section', 's1-12c', (real) => ({
    path: async (id, { section, ...query } = {}) => {
      const { items, truncated } = await real.path(id, query);
      return { items: section === undefined ? items : items.filter((node) => node.section === section), truncated };
    },
  })),
  broken(
    'knows one section a node',
    's1-12d s1-16b',
    without((op) => op?.op === 'place'),
  ),
  broken(
    'drops nothing',
    's1-12e s1-12f',
    without((op) => op?.op === 'drop'),
  ),
  broken(
    'keeps all through a reset',
    's1-12g',
    without((op) => op?.op === 'reset'),
  ),
  broken('does not know what it was forked from', 's1-13a s1-14', (real) => ({
    create: async (id, init) => real.create(id, { ...init, forkedFrom: null }),
  })),
  broken('keeps all in one session', 's1-13b', (real) => {
    let first: string;
    return {
      create: async (id, init) => ((first ??= id), real.create(id, init)),
      commit: async (id, commit) => (
        await real.commit(first, commit),
        real.commit(id, { ...commit, id: `${commit.id}'` })
      ),
    };
  }),
  broken('knows one node a label', 's1-15a', (real) => ({
    extras: async (id) => {
      const { labels, ...extras } = await real.extras(id);
      const byLabel = Object.fromEntries(Object.entries(labels).map(([node, label]) => [label, node]));
      return { ...extras, labels: Object.fromEntries(Object.entries(byLabel).map(([label, node]) => [node, label])) };
    },
  })),
  broken(
    'ignores labels of nodes that are not there',
    's1-15b',
    swallowing(
      'NOT_FOUND',
      without((op) => op.op === 'label'),
    ),
  ),
  broken(
    'takes null for nothing',
    's1-16a',
    inOps((op) => [op?.op === 'param' && op.value === null ? { ...op, value: undefined } : op]),
  ),
  broken('sorts the sections', 's1-16b', (real) => ({
    extras: async (id) => {
      const { sections, ...extras } = await real.extras(id);
      return { ...extras, sections: sections.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    },
  })),
  broken(
    'keeps no drafts',
    's1-16c',
    without((op) => op?.op === 'draft'),
  ),
  broken(
    'replaces the metadata',
    's1-16d',
    inOps((op) =>
      op?.op === 'meta' ? [{ op: 'meta', patch: { title: null, tags: null, deep: null, kept: null } }, op] : [op],
    ),
  ),
  broken('deletes nothing', 's1-01 s1-17a s1-17b s3-37', () => ({ delete: async () => true })),
  broken(
    'ignores the epoch that is expected',
    's1-17b',
    expecting((expect) => omit(expect, 'epoch')),
  ),
  broken('ignores the version that a delete expects', 's1-17c', (real) => ({ delete: async (id) => real.delete(id) })),
  broken('lists by creation only', 's1-18a', (real) => ({
    list: async (query) => real.list({ ...query, order: 'created' }),
  })),
  broken('takes the place in a list for its cursor', 's1-18b', (real) => ({
    list: async ({ cursor, limit = 100, ...query } = {}) => {
      const { items } = await real.list({ ...query, limit: 1000 });
      const from = Number(cursor ?? 0);
      return {
        items: items.slice(from, from + limit),
        next: from + limit < items.length ? String(from + limit) : null,
      };
    },
  })),
  broken('takes % and _ in a prefix for wildcards', 's1-18c', (real) => ({
    list: async ({ prefix = '', ...query } = {}) => {
      const pattern = new RegExp(
        `^${prefix
          .replaceAll(/[^\w%-]/g, String.raw`\$&`)
          .replaceAll('%', '.*')
          .replaceAll('_', '.')}`,
      );
      const { items } = await real.list({ ...query, limit: 1000 });
      return { items: items.filter(({ id }) => pattern.test(id)), next: null };
    },
  })),
  broken('lists whatever the metadata', 's1-18d', (real) => ({
    list: async (query) => real.list(omit(query, 'meta')),
  })),
  broken('begins anew at a cursor that it does not know', 's1-18e', (real) => ({
    list: async (query) => real.list(query).catch(async () => real.list({ ...query, cursor: undefined as never })),
  })),
  broken('looks at what it was given too late', 's1-19a', (real) => ({
    commit: async (...given) => (await Promise.resolve(), real.commit(...given)),
  })),
  broken('hands out what it keeps', 's1-19b', (real) => {
    const kept = new Map<string, any>();
    return {
      extras: async (id) => {
        if (!kept.has(id)) kept.set(id, structuredClone(await real.extras(id)));
        return kept.get(id);
      },
    };
  }),
  broken('can be used after it was closed', 's1-20', () => ({ [Symbol.asyncDispose]: async () => {} })),
];

/** Those of S1 that copy sessions. */
const forks = [
  broken('copies more than was asked for', 's1-13c', (real) => ({
    fork: async (id, request) => real.fork?.(id, { ...request, whole: true }) ?? false,
  })),
  broken('forgets the labels of a fork', 's1-13c', (real) => ({
    fork: async (id, request) => {
      const { labels } = await real.extras(id);
      const isDone = (await real.fork?.(id, request)) ?? false;
      const known = await real.nodes(request.id, Object.keys(labels));
      const ops = known.flatMap((node): Op[] => (node ? [{ op: 'label', target: node.id, label: null }] : []));
      await real.commit(request.id, { id: 'forgets', ops });
      return isDone;
    },
  })),
  broken('copies over what is there', 's1-13d', (real) => ({
    fork: async (id, request) => {
      await real.delete(request.id);
      return real.fork?.(id, request) ?? false;
    },
  })),
  broken('copies the commits, too', 's1-13e', (real) => ({
    fork: async (id, request) => {
      const isDone = (await real.fork?.(id, request)) ?? false;
      await real.commit(request.id, { id: 'first', ops: [{ op: 'meta', patch: {} }] });
      return isDone;
    },
  })),
];

/** Those of S2. */
const values = [
  broken(
    'keeps large numbers as text',
    's2-21a',
    inData((data) => (typeof data === 'number' && data > 2 ** 60 ? String(data) : data)),
  ),
  broken(
    'keeps nothing below a hundred levels',
    's2-21b',
    inData((data) => (depthOf(data) > 100 ? null : data)),
  ),
  broken(
    'sorts the keys of objects',
    's2-21c',
    inData((data) =>
      isObject(data) ? Object.fromEntries(Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))) : data,
    ),
  ),
  broken(
    'keeps texts in their composed form',
    's2-22',
    inData((data) => (typeof data === 'string' ? data.normalize() : data)),
  ),
  broken(
    'makes text well-formed',
    's2-23a',
    inData((data) => (typeof data === 'string' ? data.toWellFormed() : data)),
  ),
  broken(
    'loses NUL in parameters',
    's2-23b',
    inOps((op) => [
      op?.op === 'param'
        ? { ...op, value: JSON.parse(JSON.stringify(op.value)?.replaceAll('\\u0000', '') ?? 'null') }
        : op,
    ]),
  ),
  broken(
    'cuts control characters out of ids',
    's2-23c',
    inSessionIds((id) => (typeof id === 'string' ? id.replaceAll('\u0000', 'x') : id)),
  ),
  broken(
    'cuts control characters out of names',
    's2-23d',
    inOps((op) => [
      op?.op === 'section'
        ? { ...op, name: typeof op.name === 'string' ? op.name.replaceAll('\u0000', '') : op.name }
        : op,
    ]),
  ),
  broken(
    'makes of NaN what JSON makes of it',
    's2-24a',
    inData((data) => (Array.isArray(data) && Number.isNaN(data[0]) ? [null] : data)),
  ),
  broken(
    'passes over changes that it does not know',
    's2-24b',
    without((op) => op !== null && (op.op as string) === 'unknown'),
  ),
  broken('creates sessions without what it cannot keep', 's2-24c', (real) => ({
    create: async (id, init) => instead(real.create(id, init), 'INVALID_DATA', async () => real.create(id)),
  })),
  broken(
    'takes capital letters in session ids for small ones',
    's2-25a',
    inSessionIds((id) => id.toLowerCase()),
  ),
  broken(
    'cuts blanks off commit ids',
    's2-25b',
    inCommit((commit) => ({ ...commit, id: commit.id.trim() || commit.id })),
  ),
  broken('takes sections for the same that look alike', 's2-25c', (real) => ({
    path: async (id, query) =>
      real.path(id, { ...query, ...(query?.section !== undefined && { section: query.section.normalize() }) }),
  })),
  broken(
    'cuts long ids',
    's2-26',
    inSessionIds((id) => id.slice(0, 255)),
  ),
  broken('keeps less than it says', 's2-22 s2-27a s2-27b s7-77', (real) => ({
    commit: async (id, commit, options) => {
      if (JSON.stringify(commit.ops).length > 2 ** 20) throw new StorageError('TOO_LARGE', 'too large');
      return real.commit(id, commit, options);
    },
  })),
  broken(
    'takes every type for a message',
    's2-28',
    inOps((op) => [op?.op === 'node' && op.node ? { op: 'node', node: { ...op.node, type: 'message' } } : op]),
  ),
];

/** Those of S3, S4, S6 and S7. */
const writers = [
  broken(
    'ignores what is expected',
    's3-29 s3-30 s3-32a s4-47',
    inCommit((commit) => omit(commit, 'expect')),
  ),
  broken('does not say what the state is', 's3-29 s3-30', (real) => ({
    commit: async (...given) =>
      instead(real.commit(...given), 'CONFLICT', async () => {
        throw new StorageError('CONFLICT', 'another state');
      }),
  })),
  broken('reads the leaf before it writes', 's3-31 s3-32b s3-40', (real) => ({
    commit: async (id, commit, options) => {
      const leaf = (await real.head(id))?.leaf ?? null;
      await Promise.resolve();
      const [first, ...rest] = commit.ops;
      if (first?.op !== 'node') return real.commit(id, commit, options);
      return real.commit(id, { ...commit, ops: [{ op: 'node', node: { parentId: leaf, ...first.node } }, ...rest] });
    },
  })),
  broken('looks for the version before it writes', 's3-32a', (real) => ({
    commit: async (id, { expect, ...commit }, options) => {
      const head = await real.head(id);
      if (expect?.version !== undefined && expect.version !== head?.version) throw new StorageError('CONFLICT', 'no');
      return real.commit(id, commit, options);
    },
  })),
  broken('remembers the heads that it has read', 's3-32c', (real) => {
    const heads = new Map<string, any>();
    return {
      head: async (id) => {
        if (!heads.has(id)) heads.set(id, await real.head(id));
        return heads.get(id);
      },
    };
  }),
  broken(
    'brings back what was deleted',
    's3-37 s1-17b',
    swallowing('NOT_FOUND', (real) => ({
      commit: async (id, commit) => {
        if ((await real.head(id)) === null) await real.create(id);
        return real.commit(id, commit);
      },
    })),
  ),
  broken('gives a path without its beginning', 's3-38', (real) => ({
    scan: async (id, query) => {
      const { items, next } = await real.scan(id, query);
      return { items: items.filter(({ id: node }) => node !== 'n0'), next };
    },
  })),
  broken('can be used by the first that opens it only', 's3-39a', (real, instance) => ({
    create: async (id, init) =>
      instance === 0 ? real.create(id, init) : Promise.reject(new StorageError('BUSY', 'busy')),
  })),
  broken('serves one session at a time', 's3-42', (real) => {
    let busy: string | undefined;
    return {
      commit: async (id, ...given) => {
        if (busy !== undefined && busy !== id) throw new StorageError('BUSY', 'busy');
        busy = id;
        await Promise.resolve();
        return real.commit(id, ...given).finally(() => (busy = undefined));
      },
    };
  }),
  broken('knows no commit again', 's4-43a s4-43b s4-46a s4-46b', (real) => {
    let count = 0;
    return {
      commit: async (id, commit, options) => real.commit(id, { ...commit, id: `${commit.id}-${count++}` }, options),
    };
  }),
  broken('takes every commit of a known id for the same', 's4-44a', (real) => ({
    commit: async (...given) =>
      instead(real.commit(...given), 'ID_CONFLICT', async () => {
        const { version, leaf } = (await real.head(given[0]))!;
        return { status: 'duplicate', version, leaf, durable: 'memory', nodes: [] };
      }),
  })),
  broken('knows the commits of all sessions', 's4-44b', (real) => {
    const seen = new Map<string, any>();
    return {
      commit: async (id, commit, options) => {
        const result = seen.get(commit.id) ?? (await real.commit(id, commit, options));
        seen.set(commit.id, { ...result, status: 'duplicate' });
        return result;
      },
    };
  }),
  broken('refuses every node that is there already', 's4-45a', (real) => ({
    commit: async (id, commit, options) => {
      const ids = commit.ops.flatMap((op) => (op.op === 'node' ? [op.node.id] : []));
      if ((await real.nodes(id, ids)).some(Boolean)) throw new StorageError('ID_CONFLICT', 'there already');
      return real.commit(id, commit, options);
    },
  })),
  broken(
    'passes over nodes of other content',
    's4-45b',
    swallowing(
      'ID_CONFLICT',
      without((op) => op.op === 'node' && op.node.id === 'b'),
    ),
  ),
  broken('looks at what is expected before it looks for the commit', 's4-46a', (real) => ({
    commit: async (id, commit, options) => {
      const { version } = (await real.head(id))!;
      if (commit.expect?.version !== undefined && commit.expect.version !== version)
        throw new StorageError('CONFLICT', 'no');
      return real.commit(id, commit, options);
    },
  })),
  broken('takes a commit for done that failed', 's4-47', (real) => {
    const failed = new Set<string>();
    return {
      commit: async (id, commit, options) => {
        if (failed.has(commit.id)) return { status: 'duplicate', version: 1, leaf: 'r', durable: 'memory', nodes: [] };
        failed.add(commit.id);
        const result = await real.commit(id, commit, options);
        failed.delete(commit.id);
        return result;
      },
    };
  }),
  broken('cannot be called off', 's4-48a', (real) => ({ commit: async (id, commit) => real.commit(id, commit) })),
  broken('says that it was called off after it has written', 's4-48b', (real) => ({
    commit: async (id, commit, options) => {
      const result = await real.commit(id, commit, options);
      if (options?.signal?.aborted === true) throw new StorageError('ABORTED', 'called off');
      return result;
    },
  })),
  broken('orders by time', 's6-70', (real) => ({
    scan: async (id, query) => {
      const { items, next } = await real.scan(id, query);
      return { items: items.toSorted((a, b) => (a.at < b.at ? -1 : 1)), next };
    },
  })),
  broken('cuts paths at 1 001 nodes', 's7-74', (real) => ({
    path: async (id, query) => {
      const { items } = await real.path(id, query);
      return { items: items.slice(-1001), truncated: false };
    },
  })),
  broken('reads all before it appends', 's7-73', (real) => ({
    commit: async (...given) => {
      const { items } = await real.scan(given[0], { limit: 10_000 });
      for (let at = 0; items.length === 10_000 && at < 5; at++) JSON.stringify(items);
      return real.commit(...given);
    },
  })),
  broken('reads all before it gives the end', 's7-72', (real) => ({
    scan: async (id, query) => {
      if (query?.dir === 'desc') for (let at = 0; at < 10; at++) JSON.stringify((await real.path(id)).items);
      return real.scan(id, query);
    },
  })),
  broken('gives a thousand children at the most', 's7-75', (real) => ({
    scan: async (id, query) => ({ ...(await real.scan(id, query)), ...(query?.parent === 'r' && { next: null }) }),
  })),
  broken('lists a thousand sessions at the most', 's7-76', (real) => ({
    list: async (query) => ({ ...(await real.list(query)), next: null }),
  })),
  broken('forks into the first fork', 's7-78', (real) => ({
    list: async (query) => {
      const { items, next } = await real.list(query);
      return { items: items.slice(1), next };
    },
  })),
];

export const brokenStorages: readonly BrokenStorage[] = [...basics, ...forks, ...values, ...writers];

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data);

function depthOf(data: unknown): number {
  let depth = 0;
  for (let at = data; typeof at === 'object' && at !== null; at = Object.values(at)[0]) depth++;
  return depth;
}
