import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { isText } from '../../schema/json.ts';

/**
 * What most of a history consists of, read without detours: a role and a text, and nothing beside. The words of the
 * assistant alone, since calls may follow. Undefined for any other.
 */
export function decodeFrequent(item: Readonly<Record<string, unknown>>, time: number): Message | string | undefined {
  const { role, content } = item;
  if (!isText(content) || Object.keys(item).length !== 2) return undefined;
  if (role === 'assistant') return content;
  return isSaidBy(role) ? Message.saying({ role, content: Content.owning(content) }, time) : undefined;
}

/**
 * Whether a value is an object of nothing but well-formed texts, which nobody can change; what the user says may be a
 * list of such.
 */
export function isFlat(value: unknown, isItem = true): value is Readonly<Record<string, string>> {
  if (!isPlain(value)) return false;
  for (const key in value) {
    const inner = value[key];
    const isList = isItem && key === 'content' && value['role'] === 'user' && Array.isArray(inner);
    for (const part of isList ? (inner as unknown[]) : []) if (!isFlat(part, false)) return false;
    if (!key.isWellFormed() || !(isList || isText(inner))) return false;
  }
  return true;
}

/** Whether all keys of a value are its own. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.getPrototypeOf(value ?? '') === Object.prototype;
}

/** Whether this is a role of those who speak to the model. */
export function isSaidBy(role: unknown): role is 'user' | 'system' | 'developer' {
  return role === 'user' || role === 'system' || role === 'developer';
}
