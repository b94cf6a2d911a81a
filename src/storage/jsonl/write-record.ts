import { crc32 } from 'node:zlib';
import type { PlannedOp } from '../plan-commit.ts';
import type { LoggedOp, PlannedEntry, SessionBirth } from '../session-state.ts';

/** The version of the format that is written. */
export const FORMAT = 1;

/** The first line of a session's file. */
export function headerLine({ id, epoch, createdAt, forkedFrom, meta, params }: SessionBirth): Buffer {
  return sealed(
    JSON.stringify({ k: 'h', format: FORMAT, id, epoch, createdAt, forkedFrom, meta, params }).slice(0, -1),
  );
}

/** The line of a commit. The data of nodes goes into it as the text that it is. */
export function commitLine({ id, version, seq, at, fingerprint, leaf, nodes, ops }: PlannedEntry): Buffer {
  const fields = JSON.stringify({ k: 'c', id, v: version, s: seq, at, d: fingerprint, leaf }).slice(0, -1);
  const known = isSame(nodes, addedNodes(ops)) ? '' : `,"nodes":${JSON.stringify(nodes)}`;
  const start = `${fields}${known},"ops":[`;
  const texts = ops.map(opText);
  return texts.length < MANY ? sealed(`${start}${texts.join(',')}]`) : hashed(bytesOf(start, texts));
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

function opText(op: PlannedOp): string {
  if (op.op === 'node') return `{"op":"node","node":${nodeText(op.node)}}`;
  if (op.op !== 'draft' || op.node === null) return JSON.stringify(op);
  return `{"op":"draft","id":${JSON.stringify(op.id)},"node":${nodeText(op.node)}}`;
}

function nodeText({ text, ...node }: { readonly text: string }): string {
  return `${JSON.stringify(node).slice(0, -1)},"data":${text}}`;
}

const END = ',"h":"01234567"}\n';
const DIGITS = -'01234567"}\n'.length;

/** From so many changes on a line is made of their bytes: one long text with a single wide character in it takes twice as long. */
const MANY = 8;

function bytesOf(start: string, texts: readonly string[]): Buffer {
  const pieces = [start, ...texts.map((text, at) => (at === 0 ? text : `,${text}`)), `]${END}`];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** A record that lacks its closing brace, with the hash of its bytes, as a line. */
export function sealed(record: string): Buffer {
  return hashed(Buffer.from(record + END));
}

function hashed(line: Buffer): Buffer {
  line.write(hashOf(line.subarray(0, -END.length)), line.length + DIGITS, 'latin1');
  return line;
}

/** Eight hexadecimal digits that tell whether bytes are what was written. */
export function hashOf(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
