import type { Assembly } from '../context/assembly.ts';
import type { ContentPart } from '../model/content-part.ts';
import type { MessageStore } from '../model/message-store.ts';
import type { Message, MessageInput } from '../model/message.ts';
import type { Messages } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { ToolResult } from '../model/tool-result.ts';
import type { MessageRole } from '../schema/role.ts';

export type { JsonSchema, ToolChoice, ToolDeclaration, ToolList } from '../turns/tool-definitions.ts';

/** Something a wire could not carry, or not in full. */
export interface Loss {
  /** The message and part that it concerns: `messages[3].content[1]`, in the order of what was encoded. */
  readonly path: string;
  /** The rule of the wire, as a stable word. */
  readonly rule: string;
  /** What became of it. */
  readonly action: 'dropped' | 'degraded' | 'moved' | 'rewritten' | 'added';
  /** The same for people. */
  readonly message: string;
}

/** Something that was changed to make the request valid; told like a {@link Loss}. */
export type Repair = Loss;

/** All that a format did not carry over as it was. Nothing is dropped, moved or rewritten without an entry. */
export interface Report {
  readonly losses: readonly Loss[];
  readonly repairs: readonly Repair[];
}

/** What of the stored conversation stands at a place of a payload, and what happened to it on the way. */
export interface Explanation {
  /** The message and part: `messages[3].content[1]`, in the order of what was encoded. */
  readonly path: string;
  readonly message: Message;
  /** Where it is a part, a call or an answer of the message. */
  readonly part?: ContentPart | ToolCall | ToolResult;
  /** The losses and repairs told for it. */
  readonly rules: readonly Loss[];
}

/** The report of a request, which also leads from a place of its payload back to what is stored. */
export interface EncodeReport extends Report {
  /**
   * What stands at a path of the payload as a provider's error names it: `messages.4.content.1`, `contents[2].parts[0]`,
   * `messages[3].tool_calls`, also as AWS counts (`messages.5.member`) or Google spells it. Several where messages went out together; none where the path leads nowhere. The request
   * is put together once more for it.
   */
  explain(path: string): readonly Explanation[];
}

/** What a wire can carry, as data. */
export interface Capabilities {
  /** The roles that a message may have on the wire. */
  readonly roles: readonly MessageRole[];
  /** The part types that may stand in a message of each role. */
  readonly parts: Readonly<Partial<Record<MessageRole, readonly string[]>>>;
  /** The roles whose messages may carry a participant's name. */
  readonly names: readonly MessageRole[];
}

/** Why a model stopped. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error' | 'other';

/** Why a response ended, in neutral words and in the provider's own. */
export interface Finish {
  readonly reason: FinishReason;
  readonly raw: string;
}

/** Tokens that a response cost. Cached tokens are part of the input, reasoning tokens of the output. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}

/** What can be encoded. A store gives its messages in section order, without blank ones; `select` chooses. An assembly also has marks for the provider's prompt cache. */
export type EncodeInput = MessageStore | Assembly | Messages | readonly MessageInput[];

/** Options of every format. */
export interface EncodeOptions {
  /** `'throw'` turns losses into an error. Default: they are reported. */
  readonly losses?: 'report' | 'throw';
  /** The rules of losses that you know of: those are neither reported nor an error. Default: none. */
  readonly acceptLosses?: readonly string[];
  /**
   * What becomes of a history that no provider takes, such as a call without its answer: it is repaired on the way
   * out, and each repair is reported; or it is refused, with the code of the first violation. Default: it is repaired.
   */
  readonly invalid?: 'repair' | 'throw';
  /**
   * What becomes of calls at the very end, or at the end of a section, that wait for their answers: they are refused,
   * since their tools were not run; or each gets a made-up answer that says so. Default: they are refused.
   */
  readonly openTurn?: 'throw' | 'cancel';
}

/** A request's conversation part, and what it did not carry. */
export interface Encoded<Payload> {
  /** Ready to spread into the request: `client.create({ model, ...payload })`. */
  readonly payload: Payload;
  readonly report: EncodeReport;
}

/** Options of reading. */
export interface DecodeOptions {
  /**
   * Whether a history, or the message of a response, is refused that a strict provider would refuse: with an error
   * whose code names the rule. Calls at its very end may wait for their answers, and answers in another order are put
   * into that of their calls. Default: all that can be read is read.
   */
  readonly strict?: boolean;
  /** Whether `finish` and `usage` are also written into the metadata of the last message, under these names. Default: no. */
  readonly record?: boolean;
}

/** Messages read from a wire. */
export interface Decoded {
  readonly messages: Messages;
  readonly report: Report;
  /** Where a response was read. */
  readonly finish?: Finish;
  /** Where a response was read that tells it. */
  readonly usage?: Usage;
}

/** A response that arrives in events: what is known of it at any time, and all of it at the end. */
export interface Accumulator<Event> {
  /**
   * Takes the next event. Constant time, but for the rare event that a provider sends whole.
   *
   * @throws InvalidInputError where this is no event at all
   * @throws MessageStoreError `stream_finished` after {@link Accumulator.finish}
   */
  push(event: Event): void;
  /**
   * The message so far: for showing, and for keeping what would else be lost. It is marked as incomplete, since its calls
   * must not be run, and has the id and time that the whole one will have.
   */
  message(): Message;
  /**
   * What `decode` gives of the same response without a stream. Where the stream broke off, the message so far, marked as
   * incomplete, with the reason `aborted` or `error`, and the usage that was told; no message where nothing had come.
   */
  finish(): Decoded;
}

/** A provider's or framework's wire shape. */
export interface MessageFormat<Payload, Options extends EncodeOptions = EncodeOptions> {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** The conversation part of a request. Deterministic; the input is not touched. */
  encode(input: EncodeInput, options?: Options): Encoded<Payload>;
  /** The messages of a request's history or of a response. */
  decode(wire: unknown, options?: DecodeOptions): Decoded;
}
