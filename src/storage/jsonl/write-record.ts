import { crc32 } from 'node:zlib';
import type { PlannedOp } from '../plan-commit.ts';
import type { LoggedOp, LogEntry, PlannedEntry, SessionBirth } from '../session-state.ts';

/** The version of the format that is written. */
export const FORMAT = 1;

/** The first line of a session's file. */
export function headerLine({ id, epoch, createdAt, forkedFrom, meta, params }: SessionBirth): Buffer {
  return sealed(
    JSON.stringify({ k: 'h', format: FORMAT, id, epoch, createdAt, forkedFrom, meta, params }).slice(0, -1),
  );
}

/** What stands before a commit's changes. No text in a record has it, since its quotes would have a backslash. */
const OPS = ',"ops":[';

/** The line of a commit. The data of nodes goes into it as the text that it is. */
export function commitLine({ nodes, ops, ...fields }: PlannedEntry): Buffer {
  const start = commitStart(fields, isSame(nodes, addedNodes(ops)) ? undefined : nodes);
  const texts = ops.map(opText);
  return texts.length < MANY ? sealed(`${start}${texts.join(',')}]`) : hashed(bytesOf(start, texts));
}

/** A commit's line up to its changes. The ids of its nodes are told where its changes do not tell them. */
export function commitStart(entry: Omit<LogEntry, 'ops' | 'nodes'>, nodes?: readonly string[]): string {
  const { id, version, seq, at, fingerprint, leaf } = entry;
  return JSON.stringify({ k: 'c', id, v: version, s: seq, at, d: fingerprint, leaf, nodes }).slice(0, -1) + OPS;
}

/** The bytes of a commit's changes, in a line without its end; undefined where the line was not written by {@link commitLine}. */
export function changesIn(line: Buffer): Buffer | undefined {
  const start = line.indexOf(OPS) + OPS.length;
  const end = line.length - UNHASHED_END.length + '\n'.length;
  const isOurs = start >= OPS.length && line.toString('latin1', end, end + HASH.length) === HASH;
  return isOurs ? line.subarray(start, end) : undefined;
}

/** The ids of the nodes that changes add. */
export function addedNodes(ops: readonly LoggedOp[]): string[] {
  const ids: string[] = [];
  for (const op of ops) if (op.op === 'node') ids.push(op.node.id);
  return ids;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

/** Whether an entry has changes, and all of them add nodes. */
export function isOfNodes({ ops }: LogEntry): boolean {
  return ops.length > 0 && ops.every(({ op }) => op === 'node');
}

/** The text of one change. */
export function opText(op: PlannedOp): string {
  if (op.op === 'node') return `{"op":"node","node":${nodeText(op.node)}}`;
  if (op.op !== 'draft' || op.node === null) return JSON.stringify(op);
  return `{"op":"draft","id":${JSON.stringify(op.id)},"node":${nodeText(op.node)}}`;
}

function nodeText({ text, ...node }: { readonly text: string }): string {
  return `${JSON.stringify(node).slice(0, -1)},"data":${text}}`;
}

const END = ',"h":"01234567"}\n';
/** What stands behind a commit's changes before its hash is known. */
export const UNHASHED_END = `]${END}`;
const HASH = '],"h":"';
const DIGITS = -'01234567"}\n'.length;

/** From so many changes on a line is made of their bytes: one long text with a single wide character in it takes twice as long. */
const MANY = 8;

function bytesOf(start: string, texts: readonly string[]): Buffer {
  const pieces = [start, ...texts.map((text, at) => (at === 0 ? text : `,${text}`)), UNHASHED_END];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** A record that lacks its closing brace, with the hash of its bytes, as a line. */
export function sealed(record: string): Buffer {
  return hashed(Buffer.from(record + END));
}

/** A line that has no hash yet, with the hash of its bytes. */
export function hashed(line: Buffer): Buffer {
  line.write(hashOf(line.subarray(0, -END.length)), line.length + DIGITS, 'latin1');
  return line;
}

/** Eight hexadecimal digits that tell whether bytes are what was written. */
export function hashOf(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
