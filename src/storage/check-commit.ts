import { preview } from '../internal/preview.ts';
import { fingerprint } from '../internal/fingerprint.ts';
import { isRecord, type JsonObject } from '../schema/json.ts';
import { checkId, checkName } from './check-names.ts';
import { jsonSnapshot } from './json-snapshot.ts';
import type { Commit, Expectation, NodeRecord, Op, StorageCapabilities } from './storage.ts';
import { StorageError } from './storage-error.ts';

/** A node as it was given, its data as text. */
export type CheckedNode = Omit<NodeRecord, 'data'> & { readonly text: string };

/** A change as it was given, checked, and independent of what the caller does next. */
export type CheckedOp =
  | Exclude<Op, { readonly op: 'node' | 'draft' }>
  | { readonly op: 'node'; readonly node: CheckedNode }
  | { readonly op: 'draft'; readonly id: string; readonly node: CheckedNode | null };

/** A commit as it was given, checked and copied. */
export interface CheckedCommit {
  readonly id: string;
  readonly ops: readonly CheckedOp[];
  readonly expect: Expectation;
  readonly keepLeaf: boolean;
  /** Tells commits of other content apart. */
  readonly fingerprint: string;
}

/** How much a storage takes. */
export type Limits = Pick<StorageCapabilities, 'maxCommitBytes' | 'maxNodeBytes'>;

/** What a storage takes unless it is told otherwise: 16 and 8 Mi of characters. */
export const DEFAULT_LIMITS: Limits = { maxCommitBytes: 16_777_216, maxNodeBytes: 8_388_608 };

/**
 * A commit, checked before anything is written.
 *
 * @throws StorageError `INVALID_ID`, `INVALID_DATA`, `TOO_LARGE`
 */
export function checkCommit(commit: Commit, limits: Limits): CheckedCommit {
  if (!isRecord(commit) || !Array.isArray(commit.ops)) throw invalid('commit', 'a commit with id and ops', commit);
  const id = checkId(commit.id, 'commit.id');
  const ops = commit.ops.map((op: Op, at) => checkOp(op, `ops[${at}]`, limits));
  const size = ops.reduce((sum, op) => sum + sizeOf(op), 0);
  if (size > limits.maxCommitBytes) throw tooLarge('commit', size, limits.maxCommitBytes, 'maxCommitBytes');
  const keepLeaf = commit.keepLeaf === true;
  const content = `${keepLeaf}\n${ops.map(contentOf).join('\n')}`;
  return { id, ops, expect: { ...commit.expect }, keepLeaf, fingerprint: fingerprint(content) };
}

/**
 * A change as text that no other change has. Nodes are put together by hand: as JSON their text would be escaped once
 * more. No id, name or JSON text has a line end in it, and each kind has a fixed number of lines.
 */
function contentOf(op: CheckedOp): string {
  if (op.op === 'node') return `node\n${nodeContent(op.node)}`;
  if (op.op === 'draft' && op.node !== null) return `draft\n${nodeContent(op.node)}`;
  return JSON.stringify(op);
}

function nodeContent({ id, parentId, section, type, at, text }: CheckedNode): string {
  const parent = typeof parentId === 'string' ? `=${parentId}` : String(parentId);
  return `${id}\n${parent}\n${section}\n${type}\n${at}\n${text}`;
}

function checkOp(op: Op, path: string, limits: Limits): CheckedOp {
  switch (op?.op) {
    case 'node':
      return { op: 'node', node: checkNode(op.node, `${path}.node`, limits) };
    case 'draft':
      return checkDraft(op, path, limits);
    case 'leaf':
      return { op: 'leaf', to: op.to === null ? null : checkId(op.to, `${path}.to`) };
    case 'label':
      return checkLabel(op, path);
    case 'section':
      return { op: 'section', name: checkName(op.name, `${path}.name`), ...sectionFields(op, path) };
    case 'place':
      return { op: 'place', id: checkId(op.id, `${path}.id`), section: checkName(op.section, `${path}.section`) };
    case 'drop':
      return { op: 'drop', ids: op.ids.map((id, at) => checkId(id, `${path}.ids[${at}]`)) };
    case 'reset':
      return { op: 'reset' };
    case 'param':
      return { op: 'param', key: checkName(op.key, `${path}.key`), value: copy(op.value, `${path}.value`) };
    case 'meta':
      return { op: 'meta', patch: copyObject(op.patch, `${path}.patch`) };
    default:
      throw invalid(path, 'a change', op);
  }
}

function checkNode(node: NodeRecord, path: string, { maxNodeBytes }: Limits): CheckedNode {
  if (!isRecord(node)) throw invalid(path, 'a node', node);
  const { parentId, type, at } = node;
  const text = jsonSnapshot(node.data, `${path}.data`);
  if (text.length > maxNodeBytes) throw tooLarge(path, text.length, maxNodeBytes, 'maxNodeBytes');
  if (typeof at !== 'string') throw invalid(`${path}.at`, 'a time as text', at);
  return {
    id: checkId(node.id, `${path}.id`),
    ...(parentId !== undefined && { parentId: parentId === null ? null : checkId(parentId, `${path}.parentId`) }),
    section: checkName(node.section, `${path}.section`),
    type: checkName(type, `${path}.type`),
    at: checkName(at, `${path}.at`),
    text,
  };
}

function checkDraft(op: Op & { readonly op: 'draft' }, path: string, limits: Limits): CheckedOp {
  const id = checkId(op.id, `${path}.id`);
  if (op.node === null) return { op: 'draft', id, node: null };
  const node = checkNode(op.node, `${path}.node`, limits);
  if (node.id !== id) throw invalid(`${path}.node.id`, `the draft's id ${JSON.stringify(id)}`, node.id);
  return { op: 'draft', id, node };
}

function checkLabel({ target, label }: Op & { readonly op: 'label' }, path: string): CheckedOp {
  return {
    op: 'label',
    target: checkId(target, `${path}.target`),
    label: label === null ? null : checkName(label, `${path}.label`),
  };
}

function sectionFields({ policy, extra }: { readonly policy?: JsonObject; readonly extra?: JsonObject }, path: string) {
  return {
    ...(policy !== undefined && { policy: copyObject(policy, `${path}.policy`) }),
    ...(extra !== undefined && { extra: copyObject(extra, `${path}.extra`) }),
  };
}

/** A copy that later changes of the given value do not reach. */
function copy<T>(value: T, path: string): T {
  return value === undefined ? value : (JSON.parse(jsonSnapshot(value, path)) as T);
}

/**
 * A copy of an object of JSON that later changes of the given one do not reach.
 *
 * @throws StorageError `INVALID_DATA` naming the path
 */
export function copyObject(value: unknown, path: string): JsonObject {
  if (!isRecord(value)) throw invalid(path, 'an object', value);
  return copy(value, path) as JsonObject;
}

function sizeOf(op: CheckedOp): number {
  if (op.op === 'node' || op.op === 'draft') return op.node?.text.length ?? 0;
  return op.op === 'param' || op.op === 'meta' || op.op === 'section' ? JSON.stringify(op).length : 0;
}

function invalid(path: string, expected: string, value: unknown): StorageError {
  return new StorageError('INVALID_DATA', `${path}: expected ${expected}, got ${preview(value)}`, { path, value });
}

function tooLarge(path: string, size: number, limit: number, option: string): StorageError {
  return new StorageError(
    'TOO_LARGE',
    `${path}: expected at most ${limit} characters of JSON, got ${size}. Raise the storage's ${option}, or keep large content elsewhere and store its URL.`,
    { path, value: size },
  );
}
