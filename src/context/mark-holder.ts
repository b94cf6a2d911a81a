import type { ContentPart } from '../model/content-part.ts';
import type { Message } from '../model/message.ts';
import { ToolCall } from '../model/tool-call.ts';
import { ToolResult } from '../model/tool-result.ts';
import { isRecord, type JsonValue } from '../schema/json.ts';
import type { CacheLifetime } from '../schema/section.ts';

/** The key in which a wire spells a cache mark. */
export type MarkStyle = 'cache_control' | 'prompt_cache_breakpoint';

/** What of a message can have a mark. */
export type Holder = ContentPart | ToolCall | ToolResult;

const MEDIA = /^(?:image_url|file)$/;

/** The last of a message that can have a mark; undefined where nothing of it can. */
export function holderOf(message: Message, style: MarkStyle): Holder | undefined {
  // OpenAI knows breakpoints on what goes in only.
  if (style === 'prompt_cache_breakpoint' && !message.isUser() && !message.isSystem()) return undefined;
  if (message.toolResult !== undefined) return message.toolResult;
  const holders = Array.from(message.blocks(), (block) => (block.type === 'tool_call' ? block.call : block.part));
  return holders.findLast((holder) => holder instanceof ToolCall || isMarkable(holder, message));
}

/** What the wires with marks take in this role. */
function isMarkable(part: ContentPart, message: Message): boolean {
  return part.type === 'text' ? /\S/.test(part.toString()) : message.isUser() && MEDIA.test(part.type);
}

/** All of a message that has a mark already. */
export function marksIn(message: Message, style: MarkStyle): readonly Holder[] {
  const { content, toolCalls, toolResult } = message;
  const holders: Holder[] = content.plainText === undefined ? [...content.parts] : [];
  holders.push(...toolCalls);
  if (toolResult !== undefined) holders.push(toolResult);
  return holders.filter((holder) => isRecord(markOf(holder, style)));
}

/** The mark that something has already. */
export function markOf(holder: Holder, style: MarkStyle): JsonValue | undefined {
  return (holder instanceof ToolCall || holder instanceof ToolResult ? holder.extra : holder.fields)[style];
}

/** A message with a mark on the last that is this. */
export function withMark(message: Message, holder: Holder, style: MarkStyle, ttl: CacheLifetime | undefined): Message {
  const lifetime = ttl !== undefined && { ttl };
  const mark = style === 'cache_control' ? { type: 'ephemeral', ...lifetime } : { mode: 'explicit', ...lifetime };
  if (holder instanceof ToolResult)
    return message.withToolResult(ToolResult.fromJSON({ ...holder.toJSON(), [style]: mark }));
  if (holder instanceof ToolCall)
    return message.withToolCalls(
      replacedLast([...message.toolCalls], holder, ToolCall.fromJSON({ ...holder.toJSON(), [style]: mark })),
    );
  return message.withContent(replacedLast([...message.content.parts], holder, holder.withField(style, mark)));
}

function replacedLast<T>(list: readonly T[], item: T, next: T): T[] {
  return list.with(list.lastIndexOf(item), next);
}
