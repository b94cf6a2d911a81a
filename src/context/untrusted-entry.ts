import { joinPath } from '../internal/path.ts';
import { preview } from '../internal/preview.ts';
import { Message } from '../model/message.ts';
import { ID_EXPECTED, isId, normalizeId } from '../schema/ids.ts';
import type { MessageRole } from '../schema/role.ts';
import { isOneLine } from './one-line.ts';
import { plainFields, plainItems } from './plain-json.ts';
import { refuse, type RejectionCode, soundText } from './refusal.ts';
import { type MediaRules, readMedia } from './untrusted-media.ts';

/** The types of parts that a client may send. */
export type ClientPart = 'text' | 'image_url' | 'file' | 'input_audio';

/** What a message of a client may hold. */
export interface EntryRules extends MediaRules {
  readonly roles: readonly MessageRole[];
  readonly parts: readonly ClientPart[];
  readonly maxCharacters: number;
  readonly maxMediaCharacters: number;
  readonly maxParts: number;
  readonly names: boolean;
  /** Ids that exist already. */
  readonly known: () => ReadonlySet<string>;
}

/** The key under which an accepted message says that a client sent it. */
export const UNTRUSTED_KEY = 'untrusted';

const KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set(['role', 'content', 'name', 'id', 'createdAt', 'created_at']);
const PRIVATE_KEY = /^(_|(origin|metadata|parentId|parent_id|incomplete)$)/;
/** `tool_calls`, `toolResult`, `tool_call_id`, `function_call`, `callId` … */
const TOOL_KEY = /^(tool|function|call_?id)/i;
const MAX_NAME = 64;

/** Reads one entry, or throws why it is refused. Only keys that may be there are looked at. */
export function readEntry(value: unknown, path: string, rules: EntryRules, seen: Set<string>): Message {
  const fields = plainFields(value) ?? refuse('not_a_message', path, 'expected a plain object with a role and content');
  refuseKnown(fields.get('id'), joinPath(path, 'id'), rules);
  const role = readRole(fields.get('role'), joinPath(path, 'role'), rules);
  for (const key of fields.keys()) if (!KEYS.has(key)) refuseKey(key, path);
  const name = readName(fields.get('name'), joinPath(path, 'name'), rules);
  const content = readContent(fields.get('content'), joinPath(path, 'content'), rules);
  const id = readNewId(fields.get('id'), joinPath(path, 'id'), seen);
  return Message.of({ role, name, content, id, metadata: { [UNTRUSTED_KEY]: true } });
}

/** Before all else: what a client posts back of what is stored is no attack, whatever it holds. */
function refuseKnown(value: unknown, path: string, { known }: EntryRules): void {
  if (isId(value) && known().has(normalizeId(value)))
    refuse('known_id', path, `there is a message with the id ${preview(value)} already`);
}

function readRole(value: unknown, path: string, { roles }: EntryRules): MessageRole {
  const role = roles.find((allowed) => allowed === value);
  return role ?? refuse('role_not_allowed', path, `expected ${roles.join(' or ')}, got ${preview(value)}`);
}

function refuseKey(key: string, path: string): never {
  refuse(codeOfKey(key), path, `the key ${preview(key)} is not taken from a client`);
}

function codeOfKey(key: string): RejectionCode {
  if (PRIVATE_KEY.test(key)) return 'private_key';
  return TOOL_KEY.test(key) ? 'tool_data' : 'unknown_key';
}

function readName(value: unknown, path: string, { names }: EntryRules): string {
  if (value === undefined || value === null || value === '') return '';
  if (!names) refuse('name_not_allowed', path, 'names are not taken from a client');
  if (typeof value !== 'string' || value.length > MAX_NAME || !isOneLine(value))
    refuse('invalid_name', path, `expected text of at most ${MAX_NAME} characters without control characters`);
  return soundText(value, path);
}

/** The id, which is taken from now on; undefined where there is none. */
function readNewId(value: unknown, path: string, seen: Set<string>): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isId(value)) refuse('invalid_id', path, `expected ${ID_EXPECTED}`);
  const id = normalizeId(value);
  if (seen.has(id)) refuse('duplicate_id', path, `another message here has the id ${preview(id)}`);
  seen.add(id);
  return id;
}

/** A part as it goes into the message: its payload under its type. */
interface CleanPart {
  readonly type: ClientPart;
  readonly payload: string | Readonly<Record<string, string>>;
}

function readContent(value: unknown, path: string, rules: EntryRules): string | Readonly<Record<string, unknown>>[] {
  const parts = typeof value === 'string' ? [textPart(value, path, rules)] : readParts(value, path, rules);
  checkSizes(parts, path, rules);
  return typeof value === 'string' ? value : parts.map(({ type, payload }) => ({ type, [type]: payload }));
}

function textPart(value: unknown, path: string, { parts }: EntryRules): CleanPart {
  if (!parts.includes('text')) refuse('part_not_allowed', path, 'text is not taken');
  const payload = typeof value === 'string' ? value : refuse('invalid_part', path, 'expected text');
  return { type: 'text', payload: soundText(payload, path) };
}

function readParts(value: unknown, path: string, rules: EntryRules): CleanPart[] {
  const items = plainItems(value) ?? refuse('invalid_content', path, 'expected text or a list of parts');
  if (items.length > rules.maxParts)
    refuse('too_many_parts', path, `expected at most ${rules.maxParts} parts, got ${items.length}`);
  return items.map((item, at) => readPart(item, joinPath(path, at), rules));
}

function readPart(value: unknown, path: string, rules: EntryRules): CleanPart {
  const fields = plainFields(value) ?? refuse('invalid_part', path, 'expected a plain object');
  const given = fields.get('type');
  const type = rules.parts.find((allowed) => allowed === given);
  if (type === undefined)
    return refuse('part_not_allowed', joinPath(path, 'type'), `parts of the type ${preview(given)} are not taken`);
  for (const key of fields.keys())
    if (key !== 'type' && key !== type) refuse('part_key', path, `the key ${preview(key)} is not taken from a client`);
  const at = joinPath(path, type);
  if (type === 'text') return textPart(fields.get(type), at, rules);
  return { type, payload: readMedia(type, fields.get(type), at, rules) };
}

function checkSizes(parts: readonly CleanPart[], path: string, rules: EntryRules): void {
  let text = 0;
  let media = 0;
  let isBlank = true;
  for (const { payload } of parts) {
    isBlank &&= typeof payload === 'string' && !/\S/.test(payload);
    if (typeof payload === 'string') text += payload.length;
    else for (const field of Object.values(payload)) media += field.length;
  }
  if (isBlank) refuse('empty_content', path, 'the message says nothing');
  checkLength('text', text, rules.maxCharacters, path);
  checkLength('media', media, rules.maxMediaCharacters, path);
}

function checkLength(what: string, length: number, max: number, path: string): void {
  if (length > max) refuse('too_long', path, `expected at most ${max} characters of ${what}, got ${length}`);
}
