import type { MessageRole } from '../../model/message-role.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Loss } from '../format.ts';
import type { BedrockOptions } from './options.ts';
import type { BedrockCachePointBlock, BedrockTextBlock } from './wire.ts';

/** What has to be known of a part beside itself. */
export interface PartContext {
  readonly role: MessageRole;
  readonly options: BedrockOptions;
  /** Tells what is lost of the part; gives undefined, for what does not go out. */
  readonly lose: (rule: string, action: Loss['action'], about?: string) => undefined;
  /** The name under which a document goes out. */
  readonly nameOf: (fileName: string, format: string) => string;
}

/** A part that goes out as text. */
export function asText({ lose }: PartContext, rule: string, text: string): BedrockTextBlock {
  lose(rule, 'degraded', text);
  return { text };
}

/** Tells the keys that say something and do not go out; `carried` do, as do cache marks. Private ones are nobody's business. */
export function loseKeys(fields: JsonObject, carried: readonly string[], tell: (key: string) => void): void {
  for (const key in fields) {
    const isMark = key === 'cache_control' && cachePointOf(fields) !== undefined;
    if (!key.startsWith('_') && !carried.includes(key) && !isMark && isSaid(fields[key] as JsonValue)) tell(key);
  }
}

/** The cache point that a mark asks for; undefined where there is none. */
export function cachePointOf({ cache_control: mark }: JsonObject): BedrockCachePointBlock | undefined {
  if (!isRecord(mark) || mark['type'] !== 'ephemeral') return undefined;
  const { ttl } = mark;
  return { cachePoint: { type: 'default', ...((ttl === '5m' || ttl === '1h') && { ttl }) } };
}

/** Whether an unknown key says something: null and an empty list do not. */
function isSaid(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
