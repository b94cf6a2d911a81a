import type { ContentPart } from '../../model/content-part.ts';
import type { MessageRole } from '../../model/message-role.ts';
import { isRecord, type JsonObject, type JsonValue, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { AnthropicOptions } from './encode.ts';
import { fresh } from './fresh.ts';
import { isForeign, isOwn } from './origin.ts';
import type { AnthropicBlock, AnthropicTextBlock } from './wire.ts';

/** What has to be known of a part beside itself. */
export interface PartContext {
  readonly role: MessageRole;
  /** Where its message comes from. */
  readonly origin: Origin | undefined;
  readonly options: AnthropicOptions;
  readonly report: OpenReport;
  /** Where it stands: `messages[3].content[1]`. */
  readonly path: string;
}

/** Tells what is lost of a part. */
export function lose({ report, path }: PartContext, rule: string, action: Loss['action'], message: string): void {
  report.lose(path, rule, action, message);
}

/** A part that does not go out, and why. */
export function dropped(context: PartContext, rule: string, message: string): undefined {
  lose(context, rule, 'dropped', `${message}: left out`);
}

/** A part that goes out as text. */
export function asText(context: PartContext, rule: string, text: string): AnthropicTextBlock {
  lose(context, rule, 'degraded', 'this wire has no such part: text goes out');
  return { type: 'text', text };
}

/** The block with the part's further keys: those that are known, and all that came from there. */
export function withKeys(
  part: ContentPart,
  block: AnthropicBlock,
  context: PartContext,
  known: readonly string[],
): AnthropicBlock {
  const own = part.origin ?? context.origin;
  const lost = takeKeys(block, part.fields, [part.type], (key) =>
    known.includes(key) ? !isForeign(own) : isOwn(part.origin),
  );
  for (const key of lost) lose(context, 'part-key', 'dropped', unknownKey(key));
  return block;
}

/**
 * Gives a block those keys that it may have, cache marks among them. The others come back, as far as they say something
 * and are not `carried` otherwise; private ones are nobody's business.
 */
export function takeKeys(
  block: object,
  fields: JsonObject,
  carried: readonly string[],
  isTaken: (key: string) => boolean,
): string[] {
  return Object.keys(fields).filter((key) => {
    if (key.startsWith('_') || carried.includes(key)) return false;
    const value = fields[key] as JsonValue;
    const isMark = key === 'cache_control' && 'type' in block && isCacheMark(value);
    if (Object.hasOwn(block, key) || !(isMark || isTaken(key))) return isSaid(value);
    setOwn(block as Record<string, JsonValue>, key, fresh(value));
    return false;
  });
}

/** Whether a value is a mark as the wire has it, or says that there is none. */
export function isCacheMark(value: JsonValue | undefined): boolean {
  return value === null || (isRecord(value) && value['type'] === 'ephemeral');
}

/** Whether an unknown key says something: null and an empty list do not. */
function isSaid(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** What is said of a key that does not go out. */
export function unknownKey(key: string): string {
  return `this wire has no key ${JSON.stringify(key)}: left out`;
}
