import type { ContentPart } from '../../model/content-part.ts';
import type { MessageRole } from '../../model/message-role.ts';
import { encodeMedia } from './encode-media.ts';
import { fresh } from './fresh.ts';
import { keptOf, ownBlock } from './origin.ts';
import { asText, loseKeys, type PartContext } from './part-context.ts';
import type { BedrockBlock, BedrockReasoningBlock } from './wire.ts';

const MEDIA = ['text', 'image_url', 'file'] as const;

/** The part types that a message of each role may carry (`@aws-sdk/client-bedrock-runtime`, Message and ToolResultContentBlock). */
export const PARTS_BY_ROLE = {
  system: ['text'],
  developer: ['text'],
  user: [...MEDIA, 'input_audio'],
  assistant: ['text', 'reasoning', 'refusal'],
  tool: MEDIA,
} as const;

/** The blocks of the wire that an answer may hold. */
const OF_ANSWERS = /^(text|json|image|document|video|searchResult)$/;
/** Those that an assistant's message may not hold: "You can only include images and documents if the role is user". */
const OF_USERS = /^(image|document|video|audio|searchResult)$/;

/** A part as the wire spells it, where its role may say so; undefined where it does not go out. */
export function encodePart(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const { type } = part;
  const { role, lose } = context;
  const own = ownBlock(part);
  if (own) {
    const [kind = ''] = Object.keys(own);
    const isTaken = role === 'tool' ? OF_ANSWERS.test(kind) : role !== 'assistant' || !OF_USERS.test(kind);
    return isTaken ? replayed(fresh(own) as unknown as BedrockBlock, context) : lose('part-role', 'dropped', kind);
  }
  if (!isPartOf(role, type)) {
    const isKnown = isPartOf('user', type) || isPartOf('assistant', type);
    return lose(isKnown ? 'part-role' : 'part-type', 'dropped', type);
  }
  if (type === 'reasoning') return encodeReasoning(part, context);
  return type === 'text' || type === 'refusal' ? encodeText(part, context) : encodeMedia(part, context);
}

/** A block that was kept as it came; a document has a name that stands once in a request. */
function replayed(block: BedrockBlock, { nameOf }: PartContext): BedrockBlock {
  if ('document' in block) block.document.name = nameOf(block.document.name, '');
  return block;
}

function isPartOf(role: MessageRole, type: string): boolean {
  return PARTS_BY_ROLE[role].includes(type as 'text');
}

/** Models refuse text without a visible character: "The text field in the ContentBlock object is blank". */
function encodeText({ type, fields }: ContentPart, context: PartContext): BedrockBlock | undefined {
  const text = fields[type];
  let isSilent = text === '';
  const hasSaid = typeof text === 'string' && hasWords(text);
  loseKeys(fields, [type], (key) => {
    isSilent = false;
    if (hasSaid) context.lose('part-key', 'dropped', key);
  });
  if (hasSaid) return type === 'text' ? { text } : asText(context, type, text);
  return isSilent ? undefined : context.lose('blank-text', 'dropped');
}

/** Whether a text has a visible character. */
export function hasWords(text: string): boolean {
  return /\S/.test(text);
}

/**
 * Reasoning goes back exactly as it came ("include the text and its signature unmodified", ReasoningTextBlock), to the
 * provider that signed it.
 */
function encodeReasoning(part: ContentPart, context: PartContext): BedrockBlock | undefined {
  const { foreignReasoning, unsignedReasoning } = context.options;
  const text = part.toString();
  const proof = keptOf(part.origin);
  const own = proof && (fresh(proof) as { signature: string });
  if (proof?.['redactedContent'] !== undefined) return { reasoningContent: own } as unknown as BedrockReasoningBlock;
  if (proof?.['signature'] !== undefined || (own && unsignedReasoning === 'send'))
    return { reasoningContent: { reasoningText: { ...own, text } } };
  return foreignReasoning === 'text' && hasWords(text)
    ? asText(context, 'reasoning', text)
    : context.lose('reasoning', 'dropped');
}
