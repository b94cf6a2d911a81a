import { isRecord } from '../../schema/json.ts';
import type { LoggedOp } from '../session-state.ts';

type Fields = Record<string, unknown>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isRecordOrMissing = (value: unknown): boolean => value === undefined || isRecord(value);

/** What each change must look like. */
const CHECKS: Readonly<Record<LoggedOp['op'], (op: Fields) => boolean>> = {
  node: ({ node }) => isRecord(node) && isNode(node),
  draft: ({ id, node }) => isText(id) && (node === null || (isRecord(node) && isDraft(node))),
  label: ({ target, label }) => isText(target) && isTextOrNull(label),
  section: ({ name, policy, extra }) => isText(name) && isRecordOrMissing(policy) && isRecordOrMissing(extra),
  place: ({ id, section }) => isText(id) && isText(section),
  drop: ({ ids }) => Array.isArray(ids) && ids.every(isText),
  reset: () => true,
  param: ({ key }) => isText(key),
  meta: ({ patch }) => isRecord(patch),
};

/** A change as parsed JSON has it; the name of one that is not known here; undefined for what is none. */
export function readOp(json: unknown): LoggedOp | string | undefined {
  if (!isRecord(json) || typeof json['op'] !== 'string') return undefined;
  const { op } = json;
  if (!isKnown(op)) return op;
  return CHECKS[op](json) ? (json as unknown as LoggedOp) : undefined;
}

function isKnown(op: string): op is LoggedOp['op'] {
  return Object.hasOwn(CHECKS, op);
}

function isNode(node: Fields): boolean {
  return isTextOrNull(node['parentId']) && isCount(node['depth']) && isCount(node['bytes']) && isDraft(node);
}

function isDraft({ id, section, type, at, data }: Fields): boolean {
  return isText(id) && isText(section) && isText(type) && isText(at) && data !== undefined;
}
