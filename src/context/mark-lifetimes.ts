import type { Messages } from '../model/messages.ts';
import { isRecord } from '../schema/json.ts';
import type { CacheLifetime } from '../schema/section.ts';
import type { CacheMark, PlacedMark } from './cache-marks.ts';
import { type Holder, markOf, marksIn, type MarkStyle } from './mark-holder.ts';

/** The lifetimes of each style, the shortest first (Anthropic and Bedrock: CacheControlEphemeral, CachePointBlock; OpenAI: PromptCacheBreakpoint). */
const LIFETIMES: Readonly<Record<MarkStyle, readonly [shortest: CacheLifetime, longer: CacheLifetime]>> = {
  cache_control: ['5m', '1h'],
  prompt_cache_breakpoint: ['30m', '12h'],
};
const MINUTES: Readonly<Record<CacheLifetime, number>> = { '5m': 5, '30m': 30, '1h': 60, '12h': 720 };

/** A mark that a message brings along, which stays as it is, or one that is placed. */
interface Stop {
  readonly at: number;
  readonly isInstruction: boolean;
  /** How long it lives, or is asked to live. */
  readonly minutes: number;
  /** The mark that is placed; undefined where it is the message's own. */
  readonly mark: CacheMark | undefined;
}

/**
 * How long placed marks live, by the places of their messages: as long as asked, as a mark that is there already, and as
 * those behind them, since Anthropic wants the longer ones first; no longer than those before them that stay, or that may
 * go out before them: where instructions between messages move to the top, the format lets their marks live longer.
 */
export function lifetimesOf(
  messages: Messages,
  placed: ReadonlyMap<number, PlacedMark>,
  style: MarkStyle,
): Map<number, CacheLifetime | undefined> {
  const stops = stopsOf(messages, placed, style);
  const limits = limitsOf(stops);
  const lifetimes = new Map<number, CacheLifetime | undefined>();
  let behind = 0;
  for (const { at, minutes, mark } of stops.toReversed()) {
    const limit = limits.pop() as number;
    if (mark === undefined) behind = Math.max(behind, minutes);
    else {
      const [shortest, longer] = LIFETIMES[style];
      const wanted = Math.max(behind, limit < MINUTES[longer] ? 0 : minutes);
      const enough = wanted > MINUTES[shortest] ? longer : shortest;
      // Where no time is asked for and the shortest does, that is not written.
      lifetimes.set(at, enough === shortest && mark.lifetime === undefined ? undefined : enough);
      behind = Math.max(behind, MINUTES[enough]);
    }
  }
  return lifetimes;
}

/** All marks in the order of the messages; that which is placed in a message is its last. */
function stopsOf(messages: Messages, marks: ReadonlyMap<number, PlacedMark>, style: MarkStyle): Stop[] {
  const stops: Stop[] = [];
  messages.forEach((message, at) => {
    const placed = marks.get(at);
    const isInstruction = message.isSystem();
    for (const holder of marksIn(message, style))
      if (holder !== placed?.holder)
        stops.push({ at, isInstruction, minutes: minutesOf(holder, style), mark: undefined });
    if (placed === undefined) return;
    const { mark, holder } = placed;
    const asked = mark.lifetime === undefined ? 0 : MINUTES[mark.lifetime];
    stops.push({ at, isInstruction, minutes: Math.max(asked, minutesOf(holder, style)), mark });
  });
  return stops;
}

/** For each mark how long the shortest lives that stays, and stands before it or in instructions. */
function limitsOf(stops: readonly Stop[]): number[] {
  const own = stops.filter(({ mark }) => mark === undefined);
  let least = own.reduce(
    (most, { isInstruction, minutes }) => (isInstruction ? Math.min(most, minutes) : most),
    Number.POSITIVE_INFINITY,
  );
  return stops.map(({ mark, minutes }) => {
    if (mark === undefined) least = Math.min(least, minutes);
    return least;
  });
}

/** How long the mark lives that something has already; 0 where it has none. */
function minutesOf(holder: Holder, style: MarkStyle): number {
  const mark = markOf(holder, style);
  if (!isRecord(mark)) return 0;
  const [shortest] = LIFETIMES[style];
  return MINUTES[mark['ttl'] as CacheLifetime] ?? MINUTES[shortest];
}
