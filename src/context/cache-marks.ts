import type { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import type { ContentPart } from '../model/content-part.ts';
import { ToolCall } from '../model/tool-call.ts';
import { ToolResult } from '../model/tool-result.ts';
import type { JsonObject } from '../schema/json.ts';
import type { CacheLifetime } from '../schema/section.ts';

/** A place at which the provider's prompt cache may end. */
export interface CacheMark {
  /** The message that it stands behind, by its place among those that go out. */
  readonly at: number;
  /** The section that asks for it. */
  readonly section: string;
  /** How long the cache is to live. Default: as long as the provider keeps it. */
  readonly lifetime?: CacheLifetime;
}

/** How a wire spells cache marks: in a key of parts, calls and answers; of parts of instructions and users; or not at all. */
export type CacheMarkStyle = 'cache_control' | 'prompt_cache_breakpoint' | undefined;

/** What becomes of a mark that a wire does not take as it is. */
export interface LostMark {
  readonly path: string;
  readonly rule: 'cache-marks' | 'cache-lifetime';
  readonly action: 'dropped' | 'moved' | 'degraded';
  readonly message: string;
}

/** Messages with their marks, as a wire spells them. */
export interface Marked {
  readonly messages: Messages;
  readonly losses: readonly LostMark[];
}

type Style = NonNullable<CacheMarkStyle>;

/** The lifetimes of each style, the shortest first (Anthropic and Bedrock: CacheControlEphemeral, CachePointBlock; OpenAI: PromptCacheBreakpoint). */
const LIFETIMES: Readonly<Record<Style, readonly [shortest: CacheLifetime, longer: CacheLifetime]>> = {
  cache_control: ['5m', '1h'],
  prompt_cache_breakpoint: ['30m', '12h'],
};
const MINUTES: Readonly<Record<CacheLifetime, number>> = { '5m': 5, '30m': 30, '1h': 60, '12h': 720 };
const MEDIA = /^(?:image_url|file|input_audio)$/;

/**
 * Messages with their marks put on the last part, call or answer that can have one: of the message, or of one before it.
 * Costs one copy of the list.
 */
export function placeMarks(messages: Messages, marks: readonly CacheMark[], style: CacheMarkStyle): Marked {
  const placer = new MarkPlacer(messages, style);
  // From the last one: where lifetimes differ, the longer ones must stand first.
  for (const mark of marks.toReversed()) placer.place(mark);
  return placer.marked();
}

class MarkPlacer {
  readonly #messages: Messages;
  readonly #style: CacheMarkStyle;
  readonly #placed = new Map<number, Message>();
  readonly #losses: LostMark[] = [];
  /** Where the mark behind this one stands, and how long that lives. */
  #next: number;
  #minutes = 0;

  constructor(messages: Messages, style: CacheMarkStyle) {
    this.#messages = messages;
    this.#style = style;
    this.#next = messages.size;
  }

  place(mark: CacheMark): void {
    const style = this.#style;
    if (style === undefined) return this.#drop(mark, 'this wire has no cache marks');
    if (mark.at >= this.#next) return this.#drop(mark, 'the mark behind it stands here');
    const lifetime = this.#lifetimeOf(mark, style);
    for (let at = mark.at; at >= 0; at--) {
      const marked = withMark(this.#messages.at(at) as Message, style, markOf(style, lifetime));
      if (marked === undefined) continue;
      this.#placed.set(at, marked);
      this.#next = at;
      this.#minutes = lifetime === undefined ? 0 : MINUTES[lifetime];
      this.#tellChanges(mark, at, lifetime);
      return;
    }
    this.#drop(mark, 'nothing up to here can have one');
  }

  /** The one that lives long enough: as long as asked, and as the mark behind it. */
  #lifetimeOf({ lifetime }: CacheMark, style: Style): CacheLifetime | undefined {
    const [shortest, longer] = LIFETIMES[style];
    const wanted = Math.max(lifetime === undefined ? 0 : MINUTES[lifetime], this.#minutes);
    if (lifetime === undefined && wanted <= MINUTES[shortest]) return undefined;
    return MINUTES[shortest] >= wanted ? shortest : longer;
  }

  #tellChanges(mark: CacheMark, at: number, lifetime: CacheLifetime | undefined): void {
    if (lifetime !== mark.lifetime)
      this.#tell(
        mark,
        'cache-lifetime',
        'degraded',
        `lives ${lifetime} instead of ${mark.lifetime ?? 'the shortest time'}`,
      );
    if (at < mark.at) this.#tell(mark, 'cache-marks', 'moved', `stands behind messages[${at}], which can have one`);
  }

  #drop(mark: CacheMark, why: string): void {
    this.#tell(mark, 'cache-marks', 'dropped', `${why}: left out`);
  }

  #tell({ at, section }: CacheMark, rule: LostMark['rule'], action: LostMark['action'], about: string): void {
    const message = `the cache mark of the section ${JSON.stringify(section)}: ${about}`;
    this.#losses.push({ path: `messages[${at}]`, rule, action, message });
  }

  marked(): Marked {
    const losses = this.#losses.toReversed();
    if (this.#placed.size === 0) return { messages: this.#messages, losses };
    return { messages: Messages.owning(this.#messages.map((message, at) => this.#placed.get(at) ?? message)), losses };
  }
}

function markOf(style: Style, lifetime: CacheLifetime | undefined): JsonObject {
  const ttl = lifetime !== undefined && { ttl: lifetime };
  return style === 'cache_control' ? { type: 'ephemeral', ...ttl } : { mode: 'explicit', ...ttl };
}

/** A message with a mark on the last that can have one; undefined where nothing of it can. */
function withMark(message: Message, style: Style, mark: JsonObject): Message | undefined {
  const { toolResult, toolCalls } = message;
  // OpenAI knows breakpoints on what goes in only.
  if (style === 'prompt_cache_breakpoint' && !message.isUser() && !message.isSystem()) return undefined;
  if (toolResult !== undefined)
    return message.withToolResult(ToolResult.fromJSON({ ...toolResult.toJSON(), [style]: mark }));
  for (const block of [...message.blocks()].toReversed()) {
    if (block.type === 'tool_call') {
      const marked = ToolCall.fromJSON({ ...block.call.toJSON(), [style]: mark });
      return message.withToolCalls(toolCalls.map((call) => (call === block.call ? marked : call)));
    }
    if (!isMarkable(block.part)) continue;
    const marked = block.part.withField(style, mark);
    return message.withContent(message.content.parts.map((part) => (part === block.part ? marked : part)));
  }
  return undefined;
}

function isMarkable(part: ContentPart): boolean {
  return part.type === 'text' ? /\S/.test(part.toString()) : MEDIA.test(part.type);
}
