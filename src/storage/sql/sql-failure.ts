/** What an error of a driver means, whatever the driver. */
export type Failure =
  /** Another transaction stood in the way; nothing was done, and the same again can succeed. */
  | 'busy'
  /** A key is there already. */
  | 'duplicate'
  | 'full'
  | 'permission'
  | 'read-only'
  /** The connection was lost, or never made. */
  | 'lost'
  | 'too-large'
  | 'no-table'
  | 'damaged'
  | 'unknown';

interface DriverError {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
}

/** What went wrong. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code, errcode, errno, message } = error as DriverError;
  const text = typeof message === 'string' ? message : '';
  return (
    (typeof errcode === 'number' ? ofSqliteNumber(errcode, text) : undefined) ??
    (typeof errno === 'number' ? MYSQL.get(errno) : undefined) ??
    (typeof code === 'string' ? ofCode(code, text) : undefined) ??
    (LOST.test(text) ? 'lost' : 'unknown')
  );
}

/** What the clients of PostgreSQL and MySQL say, without a code, of a connection that is no more. */
const LOST = /connection (?:terminated|ended|lost|is closed)|not queryable|closed state|connection error|socket/i;
/** PostgreSQL shuts down, or cannot be reached; a network error of Node. */
const LOST_CODE =
  /^(?:08...|57P0[1-3]|E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND)|PROTOCOL_\w+|ER_SERVER_SHUTDOWN)$/;

function ofCode(code: string, text: string): Failure | undefined {
  if (code.startsWith('SQLITE_')) return ofSqliteName(code.slice('SQLITE_'.length), text);
  if (LOST_CODE.test(code)) return 'lost';
  return POSTGRES.get(code) ?? POSTGRES.get(code.slice(0, 2));
}

/** By SQLSTATE, or by its class. */
const POSTGRES: ReadonlyMap<string, Failure> = /* @__PURE__ */ new Map<string, Failure>([
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['55P03', 'busy'],
  ['53300', 'busy'],
  ['23505', 'duplicate'],
  ['53100', 'full'],
  ['53200', 'full'],
  ['42501', 'permission'],
  ['28', 'permission'],
  ['25006', 'read-only'],
  ['54', 'too-large'],
  ['42P01', 'no-table'],
  ['3F000', 'no-table'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
]);

/** By the server's number. */
const MYSQL: ReadonlyMap<number, Failure> = /* @__PURE__ */ new Map<number, Failure>([
  [1205, 'busy'],
  [1213, 'busy'],
  [1020, 'busy'],
  [1040, 'busy'],
  [1062, 'duplicate'],
  [1021, 'full'],
  [1114, 'full'],
  [1044, 'permission'],
  [1045, 'permission'],
  [1142, 'permission'],
  [1227, 'permission'],
  [1290, 'read-only'],
  [1792, 'read-only'],
  [1836, 'read-only'],
  [1153, 'too-large'],
  [1146, 'no-table'],
  [1034, 'damaged'],
  [1053, 'lost'],
]);

/** By the primary result code of SQLite: its name, and the lowest byte of its number. */
const SQLITE: readonly (readonly [name: string, number: number, failure: Failure])[] = [
  ['BUSY', 5, 'busy'],
  ['LOCKED', 6, 'busy'],
  ['PROTOCOL', 15, 'busy'],
  ['CONSTRAINT', 19, 'duplicate'],
  ['FULL', 13, 'full'],
  ['PERM', 3, 'permission'],
  ['AUTH', 23, 'permission'],
  ['CANTOPEN', 14, 'permission'],
  ['READONLY', 8, 'read-only'],
  ['TOOBIG', 18, 'too-large'],
  ['CORRUPT', 11, 'damaged'],
  ['NOTADB', 26, 'damaged'],
];

function ofSqliteNumber(number: number, text: string): Failure {
  return SQLITE.find(([, primary]) => primary === (number & 0xff))?.[2] ?? ofSqliteText(text);
}

function ofSqliteName(name: string, text: string): Failure {
  return SQLITE.find(([primary]) => name.startsWith(primary))?.[2] ?? ofSqliteText(text);
}

function ofSqliteText(text: string): Failure {
  return text.includes('no such table') ? 'no-table' : 'unknown';
}
