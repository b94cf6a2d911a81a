import type { ContentPart } from '../../model/content-part.ts';
import { isRecord } from '../../schema/json.ts';
import { encodeMedia } from './encode-media.ts';
import { AS_IT_CAME, copyOf, isOwn, keptOf } from './origin.ts';
import { drop, type PartContext, tellOthers } from './part-context.ts';
import type { MistralChunk } from './wire.ts';

const MEDIA = ['text', 'image_url', 'input_audio', 'file'] as const;

/** The part types that a message of each role may carry (`@mistralai/mistralai`, ChatCompletionRequestMessage). */
export const PARTS_BY_ROLE = { system: ['text'], user: MEDIA, assistant: ['text', 'reasoning'], tool: MEDIA } as const;

/** A part as the wire spells it, where its role may say so; undefined where it does not go out. */
export function encodePart(part: ContentPart, context: PartContext): MistralChunk | undefined {
  const { type, origin } = part;
  if (isOwn(origin) && origin?.data === AS_IT_CAME) return takes(part, context) ? asItCame(part) : undefined;
  switch (type) {
    case 'text':
      return encodeText(part, context);
    case 'refusal':
      return encodeText(part, context, true);
    case 'reasoning':
      return encodeReasoning(part, context);
    case 'image_url':
    case 'input_audio':
    case 'file':
      return takes(part, context) ? encodeMedia(part, type, context) : undefined;
    default:
      return drop(context, 'part-type', JSON.stringify(type));
  }
}

/**
 * Whether a message of this role may carry a part. What came from here stands where it stood, save in instructions,
 * which are text and thinking (`@mistralai/mistralai`, SystemMessageContentChunks).
 */
function takes({ type, origin }: ContentPart, context: PartContext): boolean {
  const { role, options } = context;
  const isInstruction = role === 'system' || role === 'developer';
  const types: readonly string[] = PARTS_BY_ROLE[isInstruction ? 'system' : role];
  const isKnown = types.includes(type) || (isOwn(origin) && (!isInstruction || type === 'thinking'));
  const isTaken = isKnown && (role !== 'tool' || options.toolMedia !== false || type === 'text');
  if (!isTaken) drop(context, 'part-role', `${JSON.stringify(type)} in ${role} messages`);
  return isTaken;
}

/** A chunk of this wire that no part of ours says in full. */
function asItCame({ type, fields }: ContentPart): MistralChunk {
  const { _origin, ...chunk } = fields;
  return copyOf({ ...chunk, type }) as unknown as MistralChunk;
}

/** Text, also of what goes out as text because the wire has no such thing. */
function encodeText(part: ContentPart, context: PartContext, isOther = false): MistralChunk | undefined {
  const key = part.type === 'refusal' ? part.type : 'text';
  const text = part.get(key);
  if (typeof text !== 'string') return drop(context, 'part-shape', 'a missing text');
  if (isOther) context.lose(part.type, 'degraded', 'goes out as text');
  tellOthers(part.fields, [key], context);
  return { type: 'text', text };
}

/**
 * Thinking goes back as it came, with its signature ("to replay some reasoning blocks across turns",
 * `@mistralai/mistralai`, ThinkChunk). The pieces of a thought do as long as they say what the part says.
 */
function encodeReasoning(part: ContentPart, context: PartContext): MistralChunk | undefined {
  const { thinking: hasThinking, foreignReasoning } = context.options;
  if (hasThinking === false || !isOwn(part.origin)) {
    return foreignReasoning === 'text' ? encodeText(part, context, true) : drop(context, part.type, part.type);
  }
  const text = part.toString();
  const { thinking, ...kept } = copyOf(keptOf(part.origin)) as Record<string, unknown>;
  const pieces = thoughtIn(thinking) === text ? thinking : undefined;
  tellOthers(part.fields, ['text'], context);
  return { ...kept, type: 'thinking', thinking: (pieces ?? [{ type: 'text', text }]) as [] };
}

/** The text of the pieces of a thought. */
export function thoughtIn(thinking: unknown): string {
  const pieces: readonly unknown[] = Array.isArray(thinking) ? thinking : [{ text: thinking }];
  return pieces.map((piece) => (isRecord(piece) && typeof piece['text'] === 'string' ? piece['text'] : '')).join('');
}
