import { Content } from './content.ts';
import { ContentPart } from './content-part.ts';
import type { ToolCall } from './tool-call.ts';
import { ToolCalls } from './tool-calls.ts';

/** One step of a message in true order: a part or a tool call. */
export type Block =
  | { readonly type: 'part'; readonly part: ContentPart }
  | { readonly type: 'tool_call'; readonly call: ToolCall };

/** Parts and calls in the order in which the model gave them: a mark stands for its call, unmarked calls come last. */
export function* blocksOf(content: Content, calls: ToolCalls): Generator<Block, void, undefined> {
  const marked = new Set<number>();
  let places: ReadonlyMap<unknown, number[]> | undefined;
  for (const part of content.parts) {
    if (!part.isMark()) {
      yield { type: 'part', part };
      continue;
    }
    const at = (places ??= placesOf(calls)).get(part.get('id'))?.pop();
    if (at === undefined) continue;
    marked.add(at);
    yield { type: 'tool_call', call: calls.at(at) as ToolCall };
  }
  for (const [at, call] of [...calls].entries()) if (!marked.has(at)) yield { type: 'tool_call', call };
}

/** Where the calls of each id stand, the first one last. */
function placesOf(calls: ToolCalls): ReadonlyMap<unknown, number[]> {
  const places = new Map<unknown, number[]>();
  for (let at = calls.size - 1; at >= 0; at--) {
    const { id } = calls.at(at) as ToolCall;
    const same = places.get(id);
    if (same === undefined) places.set(id, [at]);
    else same.push(at);
  }
  return places;
}

/** What {@link foldBlocks} folds. */
interface Blocks {
  readonly content: Content;
  readonly toolCalls: ToolCalls;
}

/**
 * The parts and calls of a run of messages in one, in true order: blank parts are left out, and a call that
 * parts follow gets a mark in its place.
 */
export function foldBlocks(run: readonly Blocks[]): Blocks {
  const parts: ContentPart[] = [];
  const calls: ToolCall[] = [];
  let marked = 0;
  const add = (part: ContentPart): void => {
    for (; marked < calls.length; marked++) parts.push(...markOf(calls[marked] as ToolCall));
    parts.push(part);
  };
  for (const { content, toolCalls } of run) {
    const text = content.plainText;
    if (text === undefined) {
      for (const block of blocksOf(content, toolCalls)) {
        if (block.type === 'tool_call') calls.push(block.call);
        else if (!block.part.isEmpty()) add(block.part);
      }
    } else {
      // The most frequent content, without the detour over blocks: nothing in it can mark the place of a call.
      if (text !== '') add(ContentPart.plain(text));
      toolCalls.forEach((call) => calls.push(call));
    }
  }
  return {
    content: parts.length === 0 ? (run[0] as Blocks).content : Content.owningParts(parts),
    toolCalls: ToolCalls.owning(calls),
  };
}

/** A call without an id cannot be marked: it comes after all parts. */
function markOf({ id }: ToolCall): ContentPart[] {
  return id === undefined ? [] : [ContentPart.of('tool_call', { id })];
}
