import {
  copyJson,
  freezeJson,
  isRecord,
  type JsonObject,
  type JsonValue,
  NO_FIELDS,
  setOwn,
} from '../../schema/json.ts';
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

/** The origin of what came from this wire and brought nothing along. */
export const OWN: Origin = /* @__PURE__ */ Object.freeze({ provider: PROVIDER });

/** The origin that keeps this, copied; undefined where that is nothing. */
export function originOf(kept: Fields): Origin | undefined {
  let data: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(kept)) {
    const value = kept[key];
    const isNothing = value === undefined || (isRecord(value) && KIND.test(key) && Object.keys(value).length === 0);
    if (!isNothing) setOwn((data ??= {}), key, copyJson(value, key));
  }
  return data && freezeJson({ provider: PROVIDER, data });
}

/** A part of the wire, made here, with what was kept of it: beside its data, and in it. Never of two kinds. */
export function withKept(part: Record<string, unknown>, kept: JsonObject = NO_FIELDS): GeminiPart {
  for (const key of Object.keys(kept)) {
    const value = copyOf(kept[key]);
    const own = Object.hasOwn(part, key) ? part[key] : undefined;
    if (isRecord(own)) part[key] = { ...own, ...(isRecord(value) && value) };
    else if (!KIND.test(key)) setOwn(part as Record<string, JsonValue>, key, value as JsonValue);
  }
  return part;
}

/** A fresh copy of JSON, which may be changed. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isRecord(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const key in value) setOwn(copy, key, copyOf(value[key]) as JsonValue);
  return copy;
}
