import { newId } from '../../internal/ids.ts';
import type { JsonValue } from '../../schema/json.ts';
import type {
  Commit,
  CommitResult,
  NodeRecord,
  Op,
  PathQuery,
  ScanQuery,
  SessionHead,
  SessionStorage,
  StoredNode,
} from '../../storage/storage.ts';
import { fail } from './check.ts';

/** When the nodes of the suite were made, as their callers say. */
export const AT = '2026-01-01T00:00:00.000Z';

/** A node in the section `chat`, its data the id unless it is said otherwise. */
export function node(id: string, fields: Partial<NodeRecord> = {}): Op & { readonly op: 'node' } {
  return { op: 'node', node: recordOf(id, fields) };
}

/** The record of {@link node}. */
export function recordOf(id: string, fields: Partial<NodeRecord> = {}): NodeRecord {
  return { id, section: 'chat', type: 'message', at: AT, data: { text: id }, ...fields };
}

/** A node below another one; null: a root. */
export function below(parentId: string | null, id: string, fields: Partial<NodeRecord> = {}): Op {
  return node(id, { parentId, ...fields });
}

/** The ids `n0` to `n<count - 1>`. */
export function idsUpTo(count: number, prefix = 'n'): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`);
}

/** The ids of nodes, in their order. */
export function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id);
}

/** One session of a case, through one instance of the storage. */
export class SessionUnderTest {
  readonly storage: SessionStorage;
  readonly id: string;

  constructor(storage: SessionStorage, id: string) {
    this.storage = storage;
    this.id = id;
  }

  /** The same session through another instance. */
  through(storage: SessionStorage): SessionUnderTest {
    return new SessionUnderTest(storage, this.id);
  }

  /** Makes changes under a commit id of their own, unless it is said otherwise. */
  async commit(ops: readonly Op[], more: Partial<Commit> = {}): Promise<CommitResult> {
    return this.storage.commit(this.id, { id: newId(), ops, ...more });
  }

  /** Appends nodes one below the other, in one commit. */
  async append(...ids: readonly string[]): Promise<CommitResult> {
    return this.commit(ids.map((id) => node(id)));
  }

  async head(): Promise<SessionHead> {
    return (await this.storage.head(this.id)) ?? fail(`session ${this.id}: expected a head, got null`);
  }

  /** A node that must be there. */
  async node(id: string): Promise<StoredNode> {
    const [found] = await this.storage.nodes(this.id, [id]);
    return found ?? fail(`node ${JSON.stringify(id)}: expected a stored node, got ${String(found)}`);
  }

  async pathIds(query?: PathQuery): Promise<string[]> {
    return idsOf((await this.storage.path(this.id, query)).items);
  }

  /** The ids of one page. */
  async scanIds(query?: ScanQuery): Promise<string[]> {
    return idsOf((await this.storage.scan(this.id, query)).items);
  }

  /** Everything that a scan finds, page by page. */
  async scanAll(query: ScanQuery = {}): Promise<StoredNode[]> {
    const found: StoredNode[] = [];
    const bound = query.dir === 'desc' ? 'before' : 'after';
    for (let from = query[bound]; ;) {
      const page = await this.storage.scan(this.id, { ...query, ...(from !== undefined && { [bound]: from }) });
      found.push(...page.items);
      if (page.next === null) return found;
      if (Number(page.next) === from)
        fail(`scan ${JSON.stringify(query)}: expected pages that end, got the cursor ${from} twice`);
      from = Number(page.next);
    }
  }

  /** A copy of all that can be read of the session, save the times: two are the same when nothing was changed. */
  async all(): Promise<JsonValue> {
    const { updatedAt: _, createdAt: __, ...head } = await this.head();
    const nodes = await this.scanAll();
    const { drafts, ...extras } = await this.storage.extras(this.id);
    const sorted = drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return JSON.parse(JSON.stringify({ head, nodes, ...extras, drafts: sorted })) as JsonValue;
  }
}
