import type { ContentPart } from '../../model/content-part.ts';
import type { MessageRole } from '../../model/message-role.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { OpenReport } from '../open-report.ts';
import type { DocumentNames } from './document-names.ts';
import type { BedrockOptions } from './options.ts';
import type { BedrockCachePointBlock, BedrockTextBlock } from './wire.ts';

/** What has to be known of a part beside itself. */
export interface PartContext {
  readonly role: MessageRole;
  /** Where its message comes from. */
  readonly origin: Origin | undefined;
  /** `messages[3].content[1]` */
  readonly path: string;
  readonly report: OpenReport;
  readonly options: BedrockOptions;
  readonly documents: DocumentNames;
}

/** A part that does not go out, and why. */
export function dropped({ report, path }: PartContext, rule: string, what: string): undefined {
  report.lose(path, rule, 'dropped', `${what}: left out`);
}

/** A part that goes out as text, and what it was. */
export function asText({ report, path }: PartContext, rule: string, what: string, text: string): BedrockTextBlock {
  report.lose(path, rule, 'degraded', `this wire has no ${what}: text goes out`);
  return { text };
}

/** Tells the keys of a part that do not go out; `carried` are those that do. */
export function loseKeys(part: ContentPart, carried: readonly string[], context: PartContext): void {
  for (const key of saidKeys(part.fields, carried))
    context.report.lose(context.path, 'part-key', 'dropped', unknownKey(key));
}

/** The keys that say something and do not go out. Cache marks do, private keys are nobody's business. */
export function saidKeys(fields: JsonObject, carried: readonly string[]): string[] {
  return Object.keys(fields).filter(
    (key) =>
      !key.startsWith('_') &&
      !carried.includes(key) &&
      isSaid(fields[key] as JsonValue) &&
      !(key === 'cache_control' && cachePointOf(fields) !== undefined),
  );
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

/** What is said of a key that does not go out. */
export function unknownKey(key: string): string {
  return `this wire has no key ${JSON.stringify(key)}: left out`;
}
