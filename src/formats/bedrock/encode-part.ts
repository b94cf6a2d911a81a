import type { ContentPart } from '../../model/content-part.ts';
import type { JsonObject } from '../../schema/json.ts';
import { encodeMedia } from './encode-media.ts';
import { fresh } from './fresh.ts';
import { kindOf, recordOf } from './kind.ts';
import { isOwn, ownBlock } from './origin.ts';
import { asText, dropped, loseKeys, type PartContext, saidKeys } from './part-context.ts';
import type { BedrockBlock, BedrockReasoningBlock } from './wire.ts';

/** The part types that a message of each role may carry (`@aws-sdk/client-bedrock-runtime`, Message and ToolResultContentBlock). */
export const PARTS_BY_ROLE = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'reasoning', 'refusal'],
  tool: ['text', 'image_url', 'file'],
} as const;

/** The blocks of the wire that an answer may hold. */
const OF_ANSWERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'text',
  'json',
  'image',
  'document',
  'video',
  'searchResult',
]);
/** Those that an assistant's message may not hold: "You can only include images and documents if the role is user". */
const NOT_OF_ASSISTANT: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'image',
  'document',
  'video',
  'audio',
  'searchResult',
]);

/** A part as the wire spells it, where its role may say so; undefined where it does not go out. */
export function encodePart(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const { type } = part;
  const { role } = context;
  const own = ownBlock(part);
  const types: readonly string[] = PARTS_BY_ROLE[role];
  if (own === undefined && !isKnown(type)) return dropped(context, 'part-type', `${JSON.stringify(type)} parts`);
  if (own === undefined ? !types.includes(type) : !mayHold(role, kindOf(own)))
    return dropped(context, 'part-role', `${role} messages have no ${type} parts`);
  if (own !== undefined) return replayed(own, context);
  switch (type) {
    case 'text':
      return encodeText(part, context);
    case 'reasoning':
      return encodeReasoning(part, context);
    case 'refusal':
      return encodeRefusal(part, context);
    default:
      return encodeMedia(part, context);
  }
}

function isKnown(type: string): boolean {
  return PARTS_BY_ROLE.user.includes(type as 'text') || PARTS_BY_ROLE.assistant.includes(type as 'text');
}

function mayHold(role: PartContext['role'], kind = ''): boolean {
  if (role === 'tool') return OF_ANSWERS.has(kind);
  return role !== 'assistant' || !NOT_OF_ASSISTANT.has(kind);
}

/** A block of this wire that was kept as it came. Its name, where it is a document, must still be given once. */
function replayed(block: JsonObject, { documents }: PartContext): BedrockBlock {
  const copy = fresh(block) as Record<string, Record<string, unknown>>;
  const { document } = copy;
  if (typeof document?.['name'] === 'string') document['name'] = documents.of(document['name']);
  return copy as unknown as BedrockBlock;
}

/** Models refuse text without a visible character: "The text field in the ContentBlock object is blank". */
function encodeText(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const text = part.toString();
  if (hasWords(text)) {
    loseKeys(part, ['text'], context);
    return { text };
  }
  const saysNothing = text === '' && saidKeys(part.fields, ['text']).length === 0;
  return saysNothing ? undefined : dropped(context, 'blank-text', 'a blank text');
}

/** Whether a text has a visible character. */
export function hasWords(text: string): boolean {
  return /\S/.test(text);
}

function encodeRefusal(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const text = part.get('refusal');
  return typeof text === 'string' && hasWords(text)
    ? asText(context, 'refusal', 'refusal', text)
    : dropped(context, 'blank-text', 'a blank text');
}

/**
 * Reasoning goes back exactly as it came ("include the text and its signature unmodified", ReasoningTextBlock), to the
 * provider and the model that signed it.
 */
function encodeReasoning(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const block = signedBlock(part, context);
  if (block !== undefined) return block;
  const what = 'reasoning that is not signed here';
  const text = part.toString();
  return context.options.foreignReasoning === 'text' && hasWords(text)
    ? asText(context, 'reasoning', what, text)
    : dropped(context, 'reasoning', what);
}

function signedBlock(part: ContentPart, { origin, options }: PartContext): BedrockReasoningBlock | undefined {
  const own = part.origin;
  if (own === undefined || !isOwn(own)) return undefined;
  const maker = own.model ?? origin?.model;
  if (options.model !== undefined && maker !== undefined && maker !== options.model) return undefined;
  const proof = fresh(recordOf(own.data)) as { signature?: unknown; redactedContent?: unknown };
  if (typeof proof.redactedContent === 'string') return { reasoningContent: proof as { redactedContent: string } };
  if (typeof proof.signature !== 'string' && options.unsignedReasoning !== 'send') return undefined;
  return { reasoningContent: { reasoningText: { ...(proof as { signature: string }), text: part.toString() } } };
}
