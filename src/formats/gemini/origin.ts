import { parseJsonText } from '../../internal/json-text.ts';
import { isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { GeminiPart } from './wire.ts';

/** An object of the wire that is being read or written. */
export type Fields = Readonly<Record<string, unknown>>;

/** The provider of what was read from this wire. */
export const PROVIDER = 'gemini';

/** How a part names what it is, text or a call: it is exactly one of these (`@google/genai`, Part). */
const KIND = /^(text|inlineData|fileData|function|executable|codeExecution|tool)/;

/** What a part is; something that is not known here yet counts as well. */
export function kindOf(part: Fields): string {
  const keys = Object.keys(part);
  return keys.find((key) => KIND.test(key)) ?? keys[0] ?? 'text';
}

/** What only this wire's own part, call or message brought along; undefined for one from elsewhere. */
export function keptOf(origin: Origin | undefined): JsonObject | undefined {
  if (origin?.provider !== PROVIDER) return undefined;
  return isRecord(origin.data) ? origin.data : NO_FIELDS;
}

/** A record that was kept under a key; an empty one where there is none. */
export function keptIn(kept: JsonObject | undefined, key: string): JsonObject {
  const value = kept?.[key];
  return isRecord(value) ? value : NO_FIELDS;
}

/** The origin that keeps this; undefined where that is nothing, unless there is one `always`. */
export function originOf(kept: Fields, always = false): Origin | undefined {
  const said = Object.entries(kept).filter(
    ([key, value]) => value !== undefined && !(KIND.test(key) && Object.keys(value as Fields).length === 0),
  );
  if (said.length === 0) return always ? { provider: PROVIDER } : undefined;
  return { provider: PROVIDER, data: Object.fromEntries(said) as JsonObject };
}

/** A part of the wire with what was kept of it: beside its data, and in it. Never of two kinds. */
export function withKept(part: Fields, kept: JsonObject = NO_FIELDS): GeminiPart {
  if (kept === NO_FIELDS) return part;
  const added = Object.entries(copyOf(kept))
    .filter(([key, value]) => (isRecord(part[key]) ? isRecord(value) : !KIND.test(key)))
    .map(([key, value]): [string, unknown] => [key, isRecord(value) ? { ...(part[key] as Fields), ...value } : value]);
  return { ...part, ...Object.fromEntries(added) };
}

/** A fresh copy of JSON, which may be changed. */
export function copyOf<T>(value: T): T {
  return parseJsonText(JSON.stringify(value)) as T;
}
