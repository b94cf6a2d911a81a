import { reject } from '../../errors.ts';
import { timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { Message } from '../../model/message.ts';
import { foldBlocks } from '../../model/message-blocks.ts';
import { Messages } from '../../model/messages.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { copyJsonObject, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeFrequent, isFlat, isPlain, isSaidBy } from './decode-frequent.ts';
import { boundTo, contentOf, decodeAnswer, decodeCall, decodeReasoning, messageOf } from './decode-item.ts';
import { decodeOutput, rawPart } from './decode-part.ts';
import { copyWithout, type Kept, keptOf, originOf } from './origin.ts';

/** What is known of items before they are read. */
export interface ReadContext {
  readonly time: number;
  readonly repairs: Repair[];
  /** Where the items stand: `input` or `output`. */
  readonly list: string;
  /** Whether nothing instructs before the items: a first system message has to stay among them then. */
  readonly isTop?: boolean;
  /** Who made the items. */
  readonly model?: string;
  /** Why they were cut. */
  readonly cut?: string | undefined;
}

/** What an item says or calls. */
interface Said {
  readonly content: Content;
  readonly toolCalls: ToolCalls;
}

/** What the assistant thinks, says and calls in a row, while it is gathered. */
interface Turn {
  readonly run: Said[];
  /** What a message at the beginning brought along; others keep that on their first parts. */
  kept?: Kept | undefined;
  /** Whether a message came last. */
  endsWithMessage: boolean;
  /** The id of the reasoning that came last. */
  reasoning?: string;
}

const BLANK: Kept = { item: {}, content: 'text' };

/** Reads items into messages: what the assistant thinks, says and calls between others is one message. */
export class ItemReader {
  readonly #context: ReadContext;
  readonly #messages: Message[] = [];
  #turn: Turn | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Reads the item of a place as it was given. */
  add(item: unknown, at: number): void {
    const { time, repairs, list, isTop } = this.#context;
    const read = isPlain(item) && !(at === 0 && isTop) ? decodeFrequent(item, time) : undefined;
    if (read instanceof Message) return this.#push(read);
    if (read !== undefined) return this.#say(Content.owning(read));
    const path = `${list}[${at}]`;
    this.read(isFlat(item, false) ? item : copyJsonObject(wellFormed(item, repairs, path), path), path);
  }

  /** Reads an item that is known to be good, and that nobody else can change. */
  read(item: JsonObject, path: string): void {
    const { time, model } = this.#context;
    const { type = 'role' in item ? 'message' : 'item_reference', id } = item;
    switch (type) {
      case 'message':
        return this.#message(item, path);
      case 'function_call':
      case 'custom_tool_call':
        return this.#call(decodeCall(item, path, this.#turn?.reasoning));
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#push(decodeAnswer(item, path, time));
      case 'reasoning': {
        const turn = this.#add(Content.of(decodeReasoning(item, model)));
        if (typeof id === 'string') turn.reasoning = id;
        return;
      }
      default:
        this.#add(Content.of(rawPart({ ...item, type }, path)));
    }
  }

  /** What the assistant said so far, and what a message at the beginning brought along. */
  soFar(): Pick<Turn, 'run' | 'kept'> {
    const { run = [], kept } = this.#turn ?? {};
    if (this.#messages.length === 0) return { run, kept };
    return { run: [...this.#messages.filter(({ role }) => role === 'assistant'), ...run] };
  }

  /** All messages. */
  close(): Messages {
    this.#closeTurn();
    return Messages.owning(this.#messages);
  }

  #push(message: Message): void {
    this.#closeTurn();
    this.#messages.push(message);
  }

  #closeTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const { time, model, cut } = this.#context;
    const { run, kept } = turn;
    const { content, toolCalls } = run.length === 1 ? (run[0] as Said) : foldBlocks(run);
    const said = { role: 'assistant' as const, content, toolCalls };
    const incomplete = cut && toolCalls.size > 0 ? { reason: cut } : undefined;
    const origin = (model ?? kept) === undefined ? undefined : originOf(kept, model);
    const more = (origin ?? incomplete) && { origin, incomplete, createdAt: timeText(time) };
    this.#messages.push(more ? Message.of({ ...said, ...more }) : Message.saying(said, time));
  }

  /** Adds parts, or a call, to the turn. */
  #add(content: Content, toolCalls = ToolCalls.empty(), endsWithMessage = false): Turn {
    const said = { content, toolCalls };
    const turn = this.#turn;
    if (turn === undefined) return (this.#turn = { run: [said], endsWithMessage });
    turn.run.push(said);
    turn.endsWithMessage = endsWithMessage;
    return turn;
  }

  /** Adds a call to the turn, to the words right before it where they have none: most turns need not be folded then. */
  #call(call: ToolCall): void {
    const run = this.#turn?.run;
    const words = run?.at(-1)?.toolCalls.size === 0 ? run.pop() : undefined;
    this.#add(words?.content ?? Content.empty(), ToolCalls.owning([call]));
  }

  /** Adds a message to the turn. One without an id is not of the same answer as the message right before it. */
  #say(content: Content, kept?: Kept): void {
    if (this.#turn?.endsWithMessage && typeof kept?.item?.['id'] !== 'string') this.#closeTurn();
    // A blank part beside others is taken for nothing: it says that it was there.
    const isBlank = content.plainText === undefined ? content.parts.first()?.isEmpty() : content.plainText === '';
    const frame = isBlank ? (kept ?? BLANK) : this.#turn && kept;
    const turn = this.#add(frame ? framed(content, frame) : content, undefined, true);
    if (frame === undefined) turn.kept ??= kept;
  }

  #message(item: JsonObject, path: string): void {
    const { role, content } = item;
    const others = copyWithout(item, 'role', 'content');
    const { time, isTop } = this.#context;
    if (role !== 'assistant') {
      if (!isSaidBy(role)) return reject(`${path}.role`, 'a role', role, 'invalid_role');
      const said = { role, content: contentOf(content, `${path}.content`) };
      return this.#push(messageOf(said, content, others, time, isTop && path === 'input[0]' && role === 'system'));
    }
    const kept = boundTo(others, this.#turn?.reasoning);
    if (typeof content === 'string') return this.#say(Content.owning(content), kept && { ...kept, content: 'text' });
    if (!Array.isArray(content)) return void contentOf(content, `${path}.content`);
    const parts = content.flatMap((part: JsonValue, index) => decodeOutput(part, index > 0) ?? []);
    if (parts.length > 0 && parts.length === content.length)
      this.#say(Content.owningParts(parts), kept ?? { item: others });
    else this.#add(Content.of(rawPart({ ...item, type: 'message' }, path)));
  }
}

/** What is said, with what its message brought along on the first part. */
function framed({ parts }: Content, kept: Kept): Content {
  return Content.owningParts(
    parts.map((part, at) => (at > 0 ? part : part.withField('_origin', originOf({ ...keptOf(part.origin), ...kept })))),
  );
}
