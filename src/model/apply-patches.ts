import { MessageStoreError } from '../errors.ts';
import { preview } from '../internal/preview.ts';
import { isRecord, type JsonValue, setOwn } from '../schema/json.ts';

/** A change at one place of a JSON document, as immer writes it. */
export interface JsonPatch {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

type Fields = Record<string, unknown>;

/**
 * A document with patches applied one after another: copies what lies on their paths and shares the rest. Unlike
 * immer's own, takes any key of metadata on its path, `constructor` and `__proto__` too.
 *
 * @throws MessageStoreError `invalid_patch` when a patch does not fit
 */
export function applyPatches(document: unknown, patches: readonly JsonPatch[]): unknown {
  if (!isPatches(patches))
    throw misfit(`expected a list of patches with op, path and value, got ${preview(patches)}`, patches);
  return patches.reduce((json, patch) => patchedAt(json, patch, 0), document);
}

function isPatches(patches: unknown): boolean {
  return Array.isArray(patches) && patches.every(isPatch);
}

function isPatch(patch: unknown): boolean {
  return (
    isRecord(patch) && Array.isArray(patch['path']) && ['add', 'replace', 'remove'].includes(patch['op'] as string)
  );
}

function patchedAt(json: unknown, patch: JsonPatch, depth: number): unknown {
  const { path, value } = patch;
  if (depth === path.length) return value;
  if (Array.isArray(json)) return patchedList(json, patch, depth);
  return isRecord(json) ? patchedObject(json, patch, depth) : nothingAt(patch, depth);
}

function patchedObject(json: Fields, patch: JsonPatch, depth: number): unknown {
  const key = String(patch.path[depth]);
  const next = Object.hasOwn(json, key) ? json[key] : undefined;
  if (depth === patch.path.length - 1 && patch.op === 'remove') {
    return Object.fromEntries(Object.entries(json).filter(([name]) => name !== key));
  }
  const copy = { ...json };
  setOwn(copy as Record<string, JsonValue>, key, patchedAt(next, patch, depth + 1) as JsonValue);
  return copy;
}

function patchedList(json: readonly unknown[], patch: JsonPatch, depth: number): unknown {
  const { op, path, value } = patch;
  const key = path[depth];
  const isLast = depth === path.length - 1;
  if (isLast && key === 'length') return json.slice(0, value as number);
  const at = Number(key);
  const isAdded = isLast && op === 'add';
  if (!(Number.isInteger(at) && at >= 0 && at < json.length + (isAdded ? 1 : 0))) return nothingAt(patch, depth + 1);
  if (isAdded) return json.toSpliced(at, 0, value);
  return isLast && op === 'remove' ? json.toSpliced(at, 1) : json.with(at, patchedAt(json[at], patch, depth + 1));
}

function nothingAt(patch: JsonPatch, depth: number): never {
  throw misfit(`there is nothing at /${patch.path.slice(0, depth).join('/')}`, patch);
}

function misfit(why: string, value: unknown): MessageStoreError {
  return new MessageStoreError('invalid_patch', `the patches do not fit this store: ${why}`, { value });
}
