import { lazy } from '../internal/lazy.ts';
import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { isWellOrdered } from '../turns/well-ordered.ts';

/** So many messages are looked at once and for all. */
const WIDTH = 128;

/** Whether the messages of a block, from the place of each on, are in order by themselves. */
const orderlyBlocks = /* @__PURE__ */ lazy(() => new WeakMap<readonly Message[], boolean[]>());

/**
 * Whether a repair would find nothing to do, as {@link isWellOrdered} says, for lists that are asked for again as they
 * grow: blocks that are in order by themselves are remembered, and only what lies between them is looked at.
 */
export function isOrderly(messages: Messages): boolean {
  let start = 0;
  for (let index = 0; index < messages.size;) {
    const { items, from, to } = messages.segment(index);
    const isBlock = from % WIDTH === 0 && to - from >= WIDTH;
    if (isBlock && isOrderlyBlock(items, from)) {
      if (index > start && !isWellOrdered(messages.slice(start, index))) return false;
      index += WIDTH;
      start = index;
    } else {
      index += Math.min(WIDTH - (from % WIDTH), to - from);
    }
  }
  return start === messages.size || isWellOrdered(messages.slice(start));
}

function isOrderlyBlock(items: readonly Message[], from: number): boolean {
  const known = orderlyBlocks().get(items) ?? [];
  if (known.length === 0) orderlyBlocks().set(items, known);
  return (known[from / WIDTH] ??= isWellOrdered(Messages.owning(items.slice(from, from + WIDTH))));
}
