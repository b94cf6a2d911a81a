import { reject } from '../errors.ts';
import type { Content } from '../model/content.ts';
import type { ContentPart } from '../model/content-part.ts';
import type { Message } from '../model/message.ts';
import type { MessageStore } from '../model/message-store.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { MessageCounter, TokenCounter } from './token-counter.ts';
import { tokenEstimate } from './token-estimate.ts';

/**
 * How many tokens a request with these messages is: what each says and costs, and what the request costs once there is a
 * message. Text, reasoning, refusals, media, calls and answers are counted; ids, names of speakers and metadata are not.
 * What was counted once is remembered, whatever list or copy of a message it stands in later.
 *
 * @throws InvalidInputError when the counter gives something else than a finite number that is 0 or more
 * @example
 * countTokens([{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hello!' }]) // => 16
 * countTokens([]) // => 0
 */
export function countTokens(
  messages: MessagesInput | MessageStore | Message,
  counter: MessageCounter = tokenEstimate,
): number {
  const list = Messages.from(messages);
  if (list.size === 0) return 0;
  return list.reduce((sum, message) => sum + messageTokens(message, counter), requestTokens(counter));
}

/** What a request costs beside its messages. */
export function requestTokens(counter: MessageCounter): number {
  return typeof counter === 'function' ? 0 : checked(counter.perRequest ?? 0, 'counter.perRequest');
}

/** How many tokens a message is: what it costs, and what it says. An answer says its content. */
export function messageTokens(message: Message, counter: MessageCounter): number {
  if (typeof counter === 'function') return remembered(counter, message, () => checked(counter(message), 'counter'));
  const perMessage = checked(counter.perMessage, 'counter.perMessage');
  const said = perMessage + contentTokens(message.content, counter);
  return message.toolCalls.reduce((sum, call) => sum + callTokens(call, counter), said);
}

function contentTokens(content: Content, counter: TokenCounter): number {
  const { plainText } = content;
  if (plainText !== undefined) return remembered(counter, content, () => textTokens(plainText, counter));
  return content.parts.reduce((sum, part) => sum + partTokens(part, counter), 0);
}

/** The mark of a tool call's place says nothing. */
function partTokens(part: ContentPart, counter: TokenCounter): number {
  if (part.isMark()) return 0;
  const text = textOf(part);
  return remembered(counter, part, () =>
    text === undefined ? checked(counter.media(part), 'counter.media') : textTokens(text, counter),
  );
}

/** What a part says in words; undefined where it is media. */
function textOf(part: ContentPart): string | undefined {
  if (part.type === 'text' || part.type === 'reasoning') return part.toString();
  if (part.type !== 'refusal') return undefined;
  const refusal = part.get('refusal');
  return typeof refusal === 'string' ? refusal : '';
}

function callTokens(call: ToolCall, counter: TokenCounter): number {
  return remembered(counter, call, () => textTokens(call.name, counter) + textTokens(call.argsText, counter));
}

/** The tokens of a text. */
export function textTokens(text: string, counter: TokenCounter): number {
  return text === '' ? 0 : checked(counter.text(text), 'counter.text');
}

function checked(tokens: number, path: string): number {
  return Number.isFinite(tokens) && tokens >= 0 ? tokens : reject(path, 'a finite number of tokens, 0 or more', tokens);
}

type Counts = WeakMap<Content | ContentPart | ToolCall | Message, number>;

/** What was counted, by the counter and by the value, all of which never change. */
const countsOf = /* @__PURE__ */ new WeakMap<MessageCounter, Counts>();

function remembered(counter: MessageCounter, value: Content | ContentPart | ToolCall | Message, count: () => number) {
  let counts = countsOf.get(counter);
  if (counts === undefined) countsOf.set(counter, (counts = new WeakMap()));
  let tokens = counts.get(value);
  if (tokens === undefined) counts.set(value, (tokens = count()));
  return tokens;
}
