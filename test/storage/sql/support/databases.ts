/** The databases that the tests run on: those that are always there, and servers where an environment variable names one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import {
  betterSqliteStorage,
  mysqlStorage,
  pgliteStorage,
  postgresStorage,
  type SqlStorage,
  sqliteStorage,
  type SqlTablesOptions,
} from '../../../../src/storage/sql/index.ts';

export type Rows = Record<string, unknown>[];

/** One place to keep sessions, with tables of its own. */
export interface TestPlace {
  readonly prefix: string;
  /** Another storage over the same tables. */
  open(options?: SqlTablesOptions): SqlStorage;
  /** Runs a statement beside the storage. */
  raw(statement: string): Promise<Rows>;
  /** Drops the tables. */
  drop(): Promise<void>;
}

export interface TestDatabase {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly missing?: string | undefined;
  /** What a process of its own needs to open it: undefined where only one may. */
  readonly kind?: 'sqlite' | 'postgres' | 'mysql';
  /** Whether 100 000 messages do not take minutes there. */
  readonly hasTime?: boolean;
  place(): TestPlace & { readonly target: string };
}

const TABLES = ['session', 'node', 'place', 'label', 'section', 'param', 'draft', 'commit', 'schema'];
const { POSTGRES_URL, MYSQL_URL } = process.env;
let count = 0;
const newPrefix = (): string => `t${process.pid}_${Date.now().toString(36)}_${++count}_`;
const dropping = (prefix: string, quote: string): string[] =>
  TABLES.map((table) => `DROP TABLE IF EXISTS ${quote}${prefix}${table}${quote}`);

/** Two copies of SQLite in one process take each other's locks away: what is beside the storage must use the same one. */
function sqlitePlace(
  open: (file: string, options: SqlTablesOptions) => SqlStorage,
  connect: (file: string) => { prepare(statement: string): { all(): unknown[]; run(): unknown }; close(): void },
) {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'));
  const target = join(folder, 'test.db');
  const prefix = 'cs_';
  return {
    prefix,
    target,
    open: (options: SqlTablesOptions = {}) => open(target, options),
    async raw(statement: string) {
      const database = connect(target);
      try {
        const prepared = database.prepare(statement);
        if (statement.startsWith('SELECT')) return prepared.all() as Rows;
        prepared.run();
        return [];
      } finally {
        database.close();
      }
    },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

let shared: PGlite | undefined;

function pglitePlace() {
  shared ??= new PGlite();
  const prefix = newPrefix();
  const raw = async (statement: string) => (await shared!.query(statement)).rows as Rows;
  return {
    prefix,
    target: 'memory://',
    open: (options: SqlTablesOptions = {}) => pgliteStorage(shared as never, { tablePrefix: prefix, ...options }),
    raw,
    drop: async () => {
      for (const statement of dropping(prefix, '"')) await raw(statement);
    },
  };
}

function postgresPlace(open: (prefix: string, options: SqlTablesOptions) => SqlStorage) {
  const prefix = newPrefix();
  const raw = async (...statements: string[]) => {
    const client = new Client({ connectionString: POSTGRES_URL });
    await client.connect();
    try {
      let rows: Rows = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  return {
    prefix,
    target: POSTGRES_URL ?? '',
    open: (options: SqlTablesOptions = {}) => open(prefix, options),
    raw: async (statement: string) => raw(statement),
    drop: async () => void (await raw(...dropping(prefix, '"'))),
  };
}

function mysqlPlace() {
  const prefix = newPrefix();
  const raw = async (...statements: string[]) => {
    const connection = await createConnection(MYSQL_URL ?? '');
    try {
      let rows: Rows = [];
      for (const statement of statements) rows = (await connection.query(statement))[0] as Rows;
      return rows;
    } finally {
      await connection.end();
    }
  };
  return {
    prefix,
    target: MYSQL_URL ?? '',
    open: (options: SqlTablesOptions = {}) => mysqlStorage(MYSQL_URL ?? '', { tablePrefix: prefix, ...options }),
    raw: async (statement: string) => raw(statement),
    drop: async () => void (await raw(...dropping(prefix, '`'))),
  };
}

function whyNoBetterSqlite(): string | undefined {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3');
    new Database(':memory:').close();
    return undefined;
  } catch (error) {
    return `better-sqlite3 does not load: ${String(error).slice(0, 80)}`;
  }
}

export const nodeSqlite: TestDatabase = {
  name: 'node:sqlite',
  kind: 'sqlite',
  hasTime: true,
  place: () => sqlitePlace(sqliteStorage, (file) => new DatabaseSync(file)),
};
export const betterSqlite: TestDatabase = {
  name: 'better-sqlite3',
  missing: whyNoBetterSqlite(),
  place: () => sqlitePlace(betterSqliteStorage, (file) => new (createRequire(import.meta.url)('better-sqlite3'))(file)),
};
export const pglite: TestDatabase = { name: 'PGlite', place: pglitePlace };
export const postgres: TestDatabase = {
  name: 'PostgreSQL',
  kind: 'postgres',
  missing: POSTGRES_URL === undefined ? 'POSTGRES_URL is not set' : undefined,
  place: () =>
    postgresPlace((tablePrefix, options) => postgresStorage(POSTGRES_URL ?? '', { tablePrefix, ...options })),
};
/** Its statements are those of the plain one: what several processes do is tried there. */
export const partitionedPostgres: TestDatabase = {
  name: 'PostgreSQL in 16 partitions',
  missing: postgres.missing,
  place: () =>
    postgresPlace((tablePrefix, options) =>
      postgresStorage(POSTGRES_URL ?? '', { tablePrefix, partitions: 16, ...options }),
    ),
};
export const mysql: TestDatabase = {
  name: 'MariaDB',
  kind: 'mysql',
  missing: MYSQL_URL === undefined ? 'MYSQL_URL is not set' : undefined,
  place: mysqlPlace,
};

export const databases: readonly TestDatabase[] = [
  nodeSqlite,
  betterSqlite,
  pglite,
  postgres,
  partitionedPostgres,
  mysql,
];

/** The title of what is tested on a database, with the reason where it cannot be. */
export const titleOf = ({ name, missing }: TestDatabase): string =>
  missing === undefined ? name : `${name} (skipped: ${missing})`;
