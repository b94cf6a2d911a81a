import { type Kysely, WithSchemaPlugin } from 'kysely';
import { checkCommit, DEFAULT_LIMITS, type Limits } from '../check-commit.ts';
import { checkId } from '../check-names.ts';
import type {
  Commit,
  CommitOptions,
  CommitResult,
  Durability,
  ForkRequest,
  ListQuery,
  NodePath,
  Page,
  PathQuery,
  Problem,
  ScanQuery,
  SessionExtras,
  SessionHead,
  SessionInit,
  SessionStorage,
  StorageCapabilities,
  StoredNode,
} from '../storage.ts';
import { closed, StorageError } from '../storage-error.ts';
import { persist, transact } from './attempts.ts';
import { commitSession } from './commit-session.ts';
import { copySession } from './copy-session.ts';
import type { Engine } from './engine.ts';
import { isCurrent, migrate, notMigrated } from './migrate.ts';
import { mysqlEngine } from './mysql-engine.ts';
import { postgresEngine } from './postgres-engine.ts';
import type { Place } from './place.ts';
import { readNodes, scanNodes } from './read-nodes.ts';
import { isOneWalk, readPath } from './read-path.ts';
import { readProblems } from './read-problems.ts';
import { listSessions, readExtras, readHead } from './read-sessions.ts';
import { SessionQueues } from './session-queues.ts';
import { insertSession, newSession, removeSession } from './session-lifecycle.ts';
import { headOf } from './session-rows.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { type Db, type TableNames, tableNames } from './tables.ts';

/** Which database it is, as far as the statements differ. `postgres` is PGlite too, `mysql` MariaDB too. */
export type SqlDialect = 'sqlite' | 'postgres' | 'mysql';

/** How sessions are kept in a database. */
export interface SqlTablesOptions {
  /** What the names of the tables begin with: a letter, then letters, digits and `_`; default: `cs_`. */
  readonly tablePrefix?: string;
  /** Whether missing tables are made at the first use; default: true. Otherwise call `migrate` once, with an account that may. */
  readonly autoMigrate?: boolean;
  /** How much it takes, in UTF-16 code units of JSON text; default: 16 Mi a commit, 8 Mi a node. */
  readonly limits?: Partial<Limits>;
}

/** How sessions are kept in a database that the caller has opened. */
export interface SqlStorageOptions extends SqlTablesOptions {
  readonly dialect: SqlDialect;
  /** PostgreSQL only: over how many partitions new tables are spread, by session; default: 0, plain tables. */
  readonly partitions?: number;
}

/** Sessions in a database. */
export interface SqlStorage extends SessionStorage {
  /**
   * Makes the tables, or brings them up to date; does nothing where they are. Any number of processes may do it at
   * once. Nothing is ever dropped.
   *
   * @throws StorageError `NEWER_FORMAT` when a newer version of the library made them, `PERMISSION`
   */
  migrate(): Promise<void>;
}

/** What a storage over a connection of its own adds. */
export interface Ownership {
  /** What it reaches whatever the database says. */
  readonly durability?: Durability;
  /** What it is opened with, and so reaches, as far as is known before the database was asked; default: `process-crash`. */
  readonly expected?: Durability;
  readonly multiProcess?: boolean;
  readonly close?: () => Promise<void>;
}

const ENGINES: Readonly<Record<SqlDialect, Engine>> = {
  sqlite: sqliteEngine,
  postgres: postgresEngine,
  mysql: mysqlEngine,
};

/**
 * Sessions in the caller's database, which stays the caller's to close. The tables are made at the first use.
 *
 * Commits of one session are made one after another, whoever makes them; those of different sessions do not wait for
 * each other. Each costs about seven statements, and reads one to four. Plugins, such as `CamelCasePlugin`, have no say in
 * them.
 *
 * With a pool of `pg` it is `sqlStorage(new Kysely({ dialect: new PostgresDialect({ pool }) }), { dialect: 'postgres' })`.
 *
 * @throws StorageError `INVALID_ID` unless the prefix can begin a name
 */
export function sqlStorage<Database>(kysely: Kysely<Database>, options: SqlStorageOptions): SqlStorage {
  return ownedStorage(kysely, options, {});
}

/** {@link sqlStorage} that closes what it stands on. */
export function ownedStorage<Database>(
  kysely: Kysely<Database>,
  options: SqlStorageOptions,
  ownership: Ownership,
): SqlStorage {
  return new DatabaseStorage(kysely as unknown as Db, options, ownership);
}

const PREFIX = /^[a-z_]\w{0,39}$/i;

/** Plugins would give columns other names than are asked for; that of `withSchema` says where the tables are. */
function withoutPlugins(db: Db): Db {
  const schemas = db.getExecutor().plugins.filter((plugin) => plugin instanceof WithSchemaPlugin);
  return schemas.reduce((bare, plugin) => bare.withPlugin(plugin), db.withoutPlugins());
}

class DatabaseStorage implements SqlStorage {
  readonly #db: Db;
  readonly #engine: Engine;
  readonly #names: TableNames;
  readonly #options: SqlStorageOptions;
  readonly #ownership: Ownership;
  readonly #limits: Limits;
  readonly #queues = new SessionQueues();
  #durability: Durability;
  readonly #running = new Set<Promise<unknown>>();
  #ready: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(db: Db, options: SqlStorageOptions, ownership: Ownership) {
    const { dialect, tablePrefix = 'cs_' } = options;
    if (!PREFIX.test(tablePrefix))
      throw new StorageError(
        'INVALID_ID',
        `tablePrefix: expected a letter, then letters, digits and _, got ${JSON.stringify(tablePrefix)}`,
        {
          path: 'tablePrefix',
          value: tablePrefix,
        },
      );
    this.#db = withoutPlugins(db);
    this.#engine = ENGINES[dialect];
    this.#names = tableNames(tablePrefix);
    this.#options = options;
    this.#ownership = ownership;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#durability = ownership.durability ?? ownership.expected ?? 'process-crash';
  }

  get capabilities(): StorageCapabilities {
    const { multiProcess = true } = this.#ownership;
    return { multiProcess, durability: this.#durability, transactions: true, ...this.#limits };
  }

  async migrate(): Promise<void> {
    this.#expectOpen();
    await this.#migrate();
  }

  async create(id: string, init?: SessionInit): Promise<SessionHead> {
    const session = newSession(checkId(id, 'session'), init);
    await this.#write(id, (place) => insertSession(place, session));
    return headOf(session.row);
  }

  async head(id: string): Promise<SessionHead | null> {
    checkId(id, 'session');
    return this.#read((db) => readHead(db, this.#names, id));
  }

  async list(query?: ListQuery): Promise<Page<SessionHead>> {
    return this.#read((db) => listSessions(db, this.#names, query));
  }

  async commit(id: string, commit: Commit, { signal }: CommitOptions = {}): Promise<CommitResult> {
    checkId(id, 'session');
    const checked = checkCommit(commit, this.#limits);
    const made = await this.#write(id, (place) => commitSession(place, checked, signal));
    return { ...made, durable: this.#durability };
  }

  async nodes(id: string, ids: readonly string[]): Promise<(StoredNode | null)[]> {
    return this.#readSession(id, (place) => readNodes(place, ids));
  }

  async scan(id: string, query?: ScanQuery): Promise<Page<StoredNode>> {
    return this.#readSession(id, (place) => scanNodes(place, query));
  }

  async path(id: string, query: PathQuery = {}): Promise<NodePath> {
    return this.#readSession(id, (place) => readPath(place, query), !isOneWalk(query));
  }

  async extras(id: string): Promise<SessionExtras> {
    return this.#readSession(id, readExtras, true);
  }

  async problems(id: string, query?: { readonly limit?: number; readonly cursor?: string }): Promise<Page<Problem>> {
    return this.#readSession(id, (place) => readProblems(place, query));
  }

  async delete(id: string, { expectVersion }: { readonly expectVersion?: number } = {}): Promise<boolean> {
    checkId(id, 'session');
    return this.#write(id, (place) => removeSession(place, expectVersion));
  }

  async fork(id: string, request: ForkRequest): Promise<boolean> {
    checkId(id, 'session');
    checkId(request.id, 'session');
    return this.#write(id, (place) => copySession(place, request));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#ownership.close?.();
  }

  /** A transaction of one session, behind those that this process has begun for it. */
  async #write<T>(session: string, work: (place: Place) => Promise<T>): Promise<T> {
    const inTransaction = (db: Db) => work({ db, engine: this.#engine, names: this.#names, session });
    return this.#run(() =>
      this.#queues.run(session, () => persist(() => transact(this.#engine, this.#db, inTransaction), true)),
    );
  }

  async #read<T>(work: (db: Db) => Promise<T>, isSnapshot = false): Promise<T> {
    return this.#run(() => persist(() => (isSnapshot ? this.#engine.snapshot(this.#db, work) : work(this.#db))));
  }

  async #readSession<T>(id: string, work: (place: Place) => Promise<T>, isSnapshot = false): Promise<T> {
    const session = checkId(id, 'session');
    return this.#read((db) => work({ db, engine: this.#engine, names: this.#names, session }), isSnapshot);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#expectOpen();
    const running = this.#opened().then(work);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #opened(): Promise<void> {
    this.#ready ??= this.#open();
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }

  async #open(): Promise<void> {
    if (!(await persist(() => isCurrent(this.#db, this.#names)))) {
      if (this.#options.autoMigrate === false) throw notMigrated(this.#names);
      await this.#migrate();
    }
    this.#durability = this.#ownership.durability ?? (await persist(() => this.#engine.askDurability(this.#db)));
  }

  async #migrate(): Promise<void> {
    const partitions = this.#engine.hasPartitions ? (this.#options.partitions ?? 0) : 0;
    await persist(() => migrate(this.#db, this.#engine, this.#names, partitions), true);
  }

  #expectOpen(): void {
    if (this.#closing !== undefined) throw closed();
  }
}
