import type { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';
import { encodeMedia } from './encode-media.ts';
import { fresh } from './fresh.ts';
import { isOwn } from './origin.ts';
import { asText, dropped, type PartContext, withKeys } from './part-context.ts';
import type { AnthropicBlock, AnthropicRedactedThinkingBlock, AnthropicThinkingBlock } from './wire.ts';

const MEDIA = ['text', 'image_url', 'file'] as const;

/** The part types that a message of each role may carry (`@anthropic-ai/sdk`, MessageParam). */
export const PARTS_BY_ROLE = {
  system: ['text'],
  developer: ['text'],
  user: MEDIA,
  assistant: ['text', 'reasoning', 'refusal'],
  tool: MEDIA,
} as const;

/** A part as the wire spells it, where its role may say so; undefined where it does not go out. */
export function encodePart(part: ContentPart, context: PartContext): AnthropicBlock | undefined {
  const { type } = part;
  const { role } = context;
  const types: readonly string[] = PARTS_BY_ROLE[role];
  const isKnown = [...MEDIA, ...PARTS_BY_ROLE.assistant].includes(type as 'text');
  if (!isKnown && !isOwn(part.origin)) return dropped(context, 'part-type', `this wire has no ${type} parts`);
  if (isKnown ? !types.includes(type) : types.length === 1)
    return dropped(context, 'part-role', `${role} messages have no ${type} parts`);
  switch (type) {
    case 'text':
    case 'refusal':
      return encodeWords(part, context);
    case 'reasoning':
      return encodeReasoning(part, context);
    default:
      return isKnown ? encodeMedia(part, context) : replayed({ type, ...part.fields });
  }
}

/** A block of this wire that has no meaning here, as it came. */
function replayed({ _origin, ...block }: JsonObject): AnthropicBlock {
  return fresh(block) as unknown as AnthropicBlock;
}

/** The API refuses text without a visible character: "text content blocks must be non-empty". */
function encodeWords(part: ContentPart, context: PartContext): AnthropicBlock | undefined {
  const { type } = part;
  const text = part.get(type);
  if (typeof text !== 'string' || !/\S/.test(text))
    return part.isEmpty() ? undefined : dropped(context, 'blank-text', 'a blank text');
  return type === 'refusal'
    ? asText(context, type, text)
    : withKeys(part, { type: 'text', text }, context, ['citations']);
}

/**
 * Reasoning goes back exactly as it came, to the provider and the model that signed it: the API refuses thinking that
 * was changed, and a signature of another model. Empty text is legal: some models show none.
 */
function encodeReasoning(part: ContentPart, context: PartContext): AnthropicBlock | undefined {
  const block = signedBlock(part, context);
  if (block !== undefined) return block;
  const text = part.toString();
  return context.options.foreignReasoning === 'text' && /\S/.test(text)
    ? asText(context, 'reasoning', text)
    : dropped(context, 'reasoning', 'reasoning that is not signed here');
}

function signedBlock(part: ContentPart, { origin, options: { model } }: PartContext): AnthropicBlock | undefined {
  const own = part.origin;
  if (own === undefined || !isOwn(own) || !isRecord(own.data)) return undefined;
  const maker = own.model ?? origin?.model ?? model;
  if (model !== undefined && maker !== model) return undefined;
  const proof = fresh(own.data) as JsonObject;
  const { signature, data } = proof;
  if (typeof signature === 'string')
    return { ...proof, type: 'thinking', thinking: part.toString() } as AnthropicThinkingBlock;
  return typeof data === 'string'
    ? ({ ...proof, type: 'redacted_thinking' } as AnthropicRedactedThinkingBlock)
    : undefined;
}
