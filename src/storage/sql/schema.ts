import type { TableNames, Tables } from './tables.ts';

/** The version of the tables that this code writes. */
export const SCHEMA_VERSION = 1;

/** What a column holds: an id, a name of at most 128 characters, a whole number, a long text. A `?` lets it be empty. */
type Kind = 'id' | 'name' | 'int' | 'text';
/** How an engine spells the kinds of columns, and what it adds to a table. */
export interface SchemaDialect {
  readonly types: Readonly<Record<Kind, string>>;
  readonly quote: (name: string) => string;
  /** Whether indexes are part of the table's own statement. */
  readonly hasInlineIndexes: boolean;
  /** What stands behind a table's columns. */
  readonly suffix: (table: keyof Tables) => string;
}

interface Table {
  readonly columns: Readonly<Record<string, Kind | `${Kind}?`>>;
  readonly primary: string;
  /** Columns that together stand once. */
  readonly unique?: Readonly<Record<string, string>>;
  readonly indexes?: Readonly<Record<string, string>>;
}

const TABLES: { readonly [Name in Exclude<keyof Tables, 'schema'>]: Table } = {
  session: {
    columns: {
      id: 'id',
      epoch: 'id',
      version: 'int',
      seq: 'int',
      leaf: 'id?',
      node_count: 'int',
      bytes: 'int',
      drafts: 'int',
      format: 'int',
      meta: 'text',
      created_at: 'name',
      updated_at: 'name',
      expires_at: 'name?',
      forked_session: 'id?',
      forked_node: 'id?',
    },
    primary: 'id',
    indexes: { updated: 'updated_at DESC, id', created: 'created_at DESC, id' },
  },
  node: {
    columns: {
      session_id: 'id',
      seq: 'int',
      id: 'id',
      parent_seq: 'int?',
      depth: 'int',
      section: 'name',
      type: 'name',
      at: 'name',
      bytes: 'int',
      data: 'text',
    },
    primary: 'session_id, seq',
    unique: { id: 'session_id, id' },
    indexes: { section: 'session_id, section, seq', parent: 'session_id, parent_seq, seq' },
  },
  place: {
    columns: { session_id: 'id', seq: 'int', node_seq: 'int', section: 'name' },
    primary: 'session_id, seq',
    indexes: { section: 'session_id, section, seq', node: 'session_id, node_seq' },
  },
  label: { columns: { session_id: 'id', target_seq: 'int', label: 'name' }, primary: 'session_id, target_seq' },
  section: {
    columns: { session_id: 'id', name: 'name', n: 'int', policy: 'text?', extra: 'text?' },
    primary: 'session_id, name',
  },
  param: { columns: { session_id: 'id', name: 'name', value: 'text' }, primary: 'session_id, name' },
  draft: { columns: { session_id: 'id', id: 'id', node: 'text' }, primary: 'session_id, id' },
  commit: {
    columns: { session_id: 'id', id: 'id', version: 'int', fingerprint: 'name', leaf: 'id?', nodes: 'text' },
    primary: 'session_id, id',
  },
};

/** The statements that make the tables where they are missing; each may be run again. */
export function schemaStatements(dialect: SchemaDialect, names: TableNames, partitions = 0): string[] {
  const entries = Object.entries(TABLES) as [keyof typeof TABLES, Table][];
  const tables = entries.flatMap(([name, table]) => [
    createTable(dialect, names[name], name, table, partitions),
    ...partitionsOf(dialect, names[name], partitions),
    ...(dialect.hasInlineIndexes ? [] : createIndexes(dialect, names[name], table)),
  ]);
  return [schemaTable(dialect, names), ...tables];
}

/** The statement that makes the table of the schema's version. */
export function schemaTable({ quote, types }: SchemaDialect, { schema }: TableNames): string {
  return `CREATE TABLE IF NOT EXISTS ${quote(schema)} (version ${types.int} NOT NULL, PRIMARY KEY (version))`;
}

function createTable(
  dialect: SchemaDialect,
  name: string,
  key: keyof Tables,
  table: Table,
  partitions: number,
): string {
  const lines = [
    ...Object.entries(table.columns).map(([column, kind]) => columnOf(dialect, column, kind)),
    `PRIMARY KEY (${quoted(dialect, table.primary)})`,
    ...(dialect.hasInlineIndexes ? inlineIndexes(dialect, table) : []),
  ];
  const suffix =
    partitions > 0 ? ` PARTITION BY HASH (${quoted(dialect, firstOf(table.primary))})` : dialect.suffix(key);
  return `CREATE TABLE IF NOT EXISTS ${dialect.quote(name)} (${lines.join(', ')})${suffix}`;
}

function columnOf({ types, quote }: SchemaDialect, column: string, kind: string): string {
  const isOptional = kind.endsWith('?');
  return `${quote(column)} ${types[kind.replace('?', '') as Kind]}${isOptional ? '' : ' NOT NULL'}`;
}

function partitionsOf({ quote }: SchemaDialect, name: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) =>
      `CREATE TABLE IF NOT EXISTS ${quote(`${name}_${at}`)} PARTITION OF ${quote(name)} FOR VALUES WITH (MODULUS ${count}, REMAINDER ${at})`,
  );
}

function createIndexes(dialect: SchemaDialect, name: string, table: Table): string[] {
  const { quote } = dialect;
  return indexesOf(table).map(
    ([kind, suffix, columns]) =>
      `CREATE ${kind} IF NOT EXISTS ${quote(`${name}_by_${suffix}`)} ON ${quote(name)} (${quoted(dialect, columns)})`,
  );
}

function inlineIndexes(dialect: SchemaDialect, table: Table): string[] {
  return indexesOf(table).map(
    ([kind, suffix, columns]) => `${kind} ${dialect.quote(`by_${suffix}`)} (${quoted(dialect, columns)})`,
  );
}

type Index = readonly [kind: string, suffix: string, columns: string];

function indexesOf({ unique = {}, indexes = {} }: Table): Index[] {
  return [
    ...Object.entries(unique).map(([suffix, columns]): Index => ['UNIQUE INDEX', suffix, columns]),
    ...Object.entries(indexes).map(([suffix, columns]): Index => ['INDEX', suffix, columns]),
  ];
}

/** `a, b DESC` with the names of the columns quoted. */
function quoted({ quote }: SchemaDialect, columns: string): string {
  return columns.replaceAll(/[a-z_]+/g, (column) => quote(column));
}

function firstOf(columns: string): string {
  return columns.split(',', 1)[0] as string;
}
