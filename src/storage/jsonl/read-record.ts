import { parseJsonText } from '../../internal/json-text.ts';
import { freezeJson, isRecord, type JsonObject } from '../../schema/json.ts';
import type { LoggedOp, LogEntry, SessionBirth } from '../session-state.ts';
import type { Problem } from '../storage.ts';
import { readOp } from './read-op.ts';
import { addedNodes, FORMAT, hashOf, isOfNodes } from './write-record.ts';

/** What a line says. */
export type LineRecord =
  | { readonly kind: 'blank' }
  /** One of a newer format may have no birth that can be read. */
  | { readonly kind: 'header'; readonly format: number; readonly birth: SessionBirth | undefined }
  /** `unknown` names the changes that this version of the library does not know, which are left out. */
  | {
      readonly kind: 'commit';
      readonly entry: LogEntry;
      readonly unknown: readonly string[];
      /** Whether it adds nodes and does nothing else, so that its changes can be copied as the text that they are. */
      readonly isPlain: boolean;
    }
  | { readonly kind: 'bad'; readonly problem: Problem['kind']; readonly detail: string };

type Bad = LineRecord & { readonly kind: 'bad' };

/** What a record holds that nothing needs to be known of, and in which order. */
const PLAIN_KEYS = 'k,id,v,s,at,d,leaf,ops,h';
const BLANK: LineRecord = { kind: 'blank' };
const HASH = /^,"h":"[0-9a-f]{8}"\}$/;
const HASH_LENGTH = ',"h":"01234567"}'.length;
const [DIGITS_FROM, DIGITS_TO] = [',"h":"'.length, ',"h":"01234567'.length];
const BEGINNING = '{"k":"';
/** Space, tab and the other half of a Windows line end. */
const SPACE = new Set([0x20, 0x09, 0x0d]);
const BOM = Buffer.from('\uFEFF');

/** What the bytes of a line say; never throws. */
export function readRecord(line: Buffer): LineRecord {
  const bytes = trimmed(line);
  if (bytes.length === 0) return BLANK;
  const text = bytes.toString();
  try {
    return recordOf(parseJsonText(text), bytes);
  } catch (error) {
    return error instanceof RangeError ? bad('schema', 'a record that is nested too deep') : unreadable(text);
  }
}

function trimmed(line: Buffer): Buffer {
  let start = line.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  let end = line.length;
  while (end > start && SPACE.has(line[end - 1] as number)) end--;
  while (start < end && SPACE.has(line[start] as number)) start++;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

/** Why a line is no JSON that can be taken: what begins like a record was not written to its end. */
function unreadable(text: string): Bad {
  const isTorn = text.startsWith(BEGINNING) || BEGINNING.startsWith(text);
  if (isTorn) return bad('torn', 'a record that was not written to its end');
  return bad('syntax', /^\0+$/.test(text) ? 'nothing but NUL bytes' : 'no JSON');
}

function recordOf(json: unknown, bytes: Buffer): LineRecord {
  if (!isRecord(json) || typeof json['k'] !== 'string') return bad('schema', 'no record: it has no kind "k"');
  const { k, format } = json;
  if (k === 'h' && isNewer(format)) return readNewer(json, format);
  if (k !== 'h' && k !== 'c') return bad('unknown-type', `a record of the unknown kind ${JSON.stringify(k)}`);
  if (!isWhole(bytes)) return bad('schema', 'its hash "h" does not fit: it was changed, or damaged');
  return k === 'h' ? readHeader(json) : readCommit(json);
}

/** Whether a line ends in the hash of its bytes. */
export function isWhole(bytes: Buffer): boolean {
  const end = bytes.toString('latin1', bytes.length - HASH_LENGTH);
  return HASH.test(end) && hashOf(bytes.subarray(0, -HASH_LENGTH)) === end.slice(DIGITS_FROM, DIGITS_TO);
}

function readHeader(json: Record<string, unknown>): LineRecord {
  const { format, id, epoch, createdAt, forkedFrom = null, meta = {}, params = {} } = json;
  if (!areTexts(id, epoch, createdAt) || typeof format !== 'number' || format < FORMAT)
    return bad('schema', 'a header that lacks its format, id, epoch or time');
  if (!isRecord(meta) || !isRecord(params) || !isOrigin(forkedFrom))
    return bad('schema', 'a header whose meta, params or forkedFrom are not what they should be');
  const birth = { id, epoch, createdAt, forkedFrom, meta, params } as SessionBirth;
  freezeJson(birth as unknown as JsonObject);
  return { kind: 'header', format, birth };
}

function isOrigin(value: unknown): boolean {
  return value === null || (isRecord(value) && areTexts(value['session']) && isTextOrNull(value['node']));
}

function readCommit(json: Record<string, unknown>): LineRecord {
  const { id, v: version, s: seq, at, d: fingerprint, leaf, ops: changes, nodes } = json;
  if (!areTexts(id, at, fingerprint) || !isTextOrNull(leaf) || !isPlace(version) || !isPlace(seq))
    return bad('schema', 'a commit that lacks its id, version, place, time, fingerprint or leaf');
  const ops = Array.isArray(changes) ? changes.map(readOp) : [undefined];
  if (ops.includes(undefined)) return bad('schema', 'a commit with a change that is not what it should be');
  const known = ops.filter((op): op is LoggedOp => typeof op === 'object');
  const ids = areTextList(nodes) ? nodes : addedNodes(known);
  const entry = { id, version, seq, at, fingerprint, leaf, ops: known, nodes: ids } as LogEntry;
  const isPlain = known.length === ops.length && isOfNodes(entry) && Object.keys(json).join() === PLAIN_KEYS;
  return { kind: 'commit', entry, unknown: ops.filter((op) => typeof op === 'string'), isPlain };
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function areTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a header's format is one that this version of the library does not know: another number before the point. */
export function isNewer(format: unknown): format is number {
  return typeof format === 'number' && format >= FORMAT + 1;
}

/** As much of a newer header as is still as it was. */
function readNewer(json: Record<string, unknown>, format: number): LineRecord {
  const header = readHeader(json);
  return header.kind === 'header' ? header : { kind: 'header', format, birth: undefined };
}

function bad(problem: Problem['kind'], detail: string): Bad {
  return { kind: 'bad', problem, detail };
}
