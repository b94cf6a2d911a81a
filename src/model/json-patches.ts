import { MessageStoreError } from '../errors.ts';
import { preview } from '../internal/preview.ts';
import { freezeJson, isRecord, type JsonObject, type JsonValue, setOwn } from '../schema/json.ts';

/** A change at one place of a JSON document. */
export interface JsonPatch {
  readonly op: 'add' | 'replace' | 'remove';
  /** The keys and indexes that lead there. */
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
}

type Path = JsonPatch['path'];

/** A tool call's arguments are one value: their text is kept, so the order of their keys counts. */
const ATOMIC = 'arguments';

/** The patches that turn one JSON document into another, frozen. What both share is not looked into. */
export function differences(from: object, to: object): readonly JsonPatch[] {
  const patches: JsonPatch[] = [];
  collect(from as JsonObject, to as JsonObject, [], patches);
  freezeJson(patches as unknown as JsonValue);
  return patches;
}

function collect(from: JsonValue, to: JsonValue, path: Path, patches: JsonPatch[]): void {
  if (from === to) return;
  if (Array.isArray(from) && Array.isArray(to)) collectList(from, to, path, patches);
  else if (isRecord(from) && isRecord(to) && path.at(-1) !== ATOMIC) collectObject(from, to, path, patches);
  else if (!isSame(from, to)) patches.push({ op: 'replace', path, value: to });
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function collectObject(from: JsonObject, to: JsonObject, path: Path, patches: JsonPatch[]): void {
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) patches.push({ op: 'remove', path: [...path, key] });
  }
  for (const [key, value] of Object.entries(to)) {
    if (Object.hasOwn(from, key)) collect(from[key] as JsonValue, value, [...path, key], patches);
    else patches.push({ op: 'add', path: [...path, key], value });
  }
}

/** Leaves alone what both begin and end with; between, compares place by place, and the longer one has the rest. */
function collectList(from: readonly JsonValue[], to: readonly JsonValue[], path: Path, patches: JsonPatch[]): void {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && isSame(from[head], to[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(from.at(-1 - tail), to.at(-1 - tail))) tail++;
  const middle = shorter - tail;
  for (let at = head; at < middle; at++) collect(from[at] as JsonValue, to[at] as JsonValue, [...path, at], patches);
  for (let at = from.length - tail - 1; at >= middle; at--) patches.push({ op: 'remove', path: [...path, at] });
  for (let at = middle; at < to.length - tail; at++) {
    patches.push({ op: 'add', path: [...path, at], value: to[at] as JsonValue });
  }
}

/**
 * A document with patches applied one after another: copies what lies on their paths and shares the rest.
 *
 * @throws MessageStoreError `invalid_patch` when a patch does not fit
 */
export function applyPatches(document: object, patches: readonly JsonPatch[]): JsonValue {
  if (!Array.isArray(patches) || !patches.every(isPatch)) {
    throw misfit(`expected a list of patches with op, path and value, got ${preview(patches)}`, patches);
  }
  return patches.reduce((json, patch) => patchedAt(json, patch, 0), document as JsonValue);
}

function isPatch(patch: unknown): patch is JsonPatch {
  return (
    isRecord(patch) && Array.isArray(patch['path']) && ['add', 'replace', 'remove'].includes(patch['op'] as string)
  );
}

function patchedAt(json: JsonValue | undefined, patch: JsonPatch, depth: number): JsonValue {
  if (depth === patch.path.length) return patch.value as JsonValue;
  if (Array.isArray(json)) return patchedList(json, patch, depth);
  return isRecord(json) ? patchedObject(json, patch, depth) : nothingAt(patch, depth);
}

function patchedObject(json: JsonObject, patch: JsonPatch, depth: number): JsonObject {
  const key = String(patch.path[depth]);
  if (isLast(patch, depth) && patch.op === 'remove') {
    return Object.fromEntries(Object.entries(json).filter(([name]) => name !== key));
  }
  const copy = { ...json };
  const before = Object.hasOwn(json, key) ? json[key] : undefined;
  setOwn(copy, key, patchedAt(before, patch, depth + 1));
  return copy;
}

function patchedList(json: readonly JsonValue[], patch: JsonPatch, depth: number): JsonValue[] {
  const at = Number(patch.path[depth]);
  const adds = isLast(patch, depth) && patch.op === 'add';
  if (!(Number.isInteger(at) && at >= 0 && at < json.length + (adds ? 1 : 0))) return nothingAt(patch, depth + 1);
  if (adds) return json.toSpliced(at, 0, patch.value as JsonValue);
  if (isLast(patch, depth) && patch.op === 'remove') return json.toSpliced(at, 1);
  return json.with(at, patchedAt(json[at], patch, depth + 1));
}

function isLast({ path }: JsonPatch, depth: number): boolean {
  return depth === path.length - 1;
}

function nothingAt({ path }: JsonPatch, depth: number): never {
  const place = path.slice(0, depth).join('/');
  throw misfit(`there is nothing at /${place}`, path);
}

function misfit(why: string, value: unknown): MessageStoreError {
  return new MessageStoreError('invalid_patch', `the patches do not fit this store: ${why}`, { value });
}
