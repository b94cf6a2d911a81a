import { reject } from '../errors.ts';
import { Content } from '../model/content.ts';
import { ContentPart } from '../model/content-part.ts';
import { exchangesOf } from '../model/exchange.ts';
import { Message } from '../model/message.ts';
import { Messages, type MessagesInput } from '../model/messages.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { oneOf } from '../schema/explain.ts';
import type { Origin } from '../schema/origin.ts';
import { oneLine } from './one-line.ts';
import { answeredCalls, isMedia, linesOf, refusalText, toldAnswer, toldCall, toldText } from './told.ts';
import { unlessSame } from './unless-same.ts';

/** How a participant hears the others. */
export interface PerspectiveOptions {
  /**
   * What becomes of the tool turns of others: `drop` leaves calls and answers out, `text` tells them in words:
   * `[called weather({"city":"Oslo"})]`, `[weather answered: 12 °C]`. Default: `drop`.
   */
  readonly toolTurns?: 'drop' | 'text' | undefined;
  /** Where the names of others stand: in their field, or before what they say, for providers that take no names. Default: `field`. */
  readonly names?: 'field' | 'text' | undefined;
}

const TOOL_TURNS = ['drop', 'text'];
const NAMES = ['field', 'text'];
const OPEN_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set(['text', 'image_url', 'file', 'input_audio']);

/**
 * The chat as one participant sees it: what it said itself, under its name, is the assistant's, with all its tool turns,
 * and what everybody else says is the user's. Instructions stay. Reasoning of others is left out, with whatever else only
 * their provider understands, and so are messages of which nothing is left. A refusal becomes text. Ids, times and
 * metadata stay; messages that stay as they are, and a list of nothing but such, are the very same. Linear.
 *
 * @throws InvalidInputError naming an option that is none
 * @example
 * const talk = Messages.from([
 *   { role: 'assistant', name: 'writer', content: 'A draft.' },
 *   { role: 'assistant', name: 'critic', content: 'Too long.' },
 *   { role: 'user', content: 'Go on.' },
 * ]);
 * asSeenBy(talk, 'critic').map(({ role, name }) => [role, name]) // => [['user', 'writer'], ['assistant', 'critic'], ['user', '']]
 */
export function asSeenBy(messages: MessagesInput, name: string, options: PerspectiveOptions = {}): Messages {
  const { toolTurns = 'drop', names = 'field' } = options;
  if (!TOOL_TURNS.includes(toolTurns)) reject('toolTurns', oneOf(TOOL_TURNS), toolTurns);
  if (!NAMES.includes(names)) reject('names', oneOf(NAMES), names);
  const all = Messages.from(messages);
  const seen: Message[] = [];
  for (const { messages: exchange } of exchangesOf(all)) {
    const [first] = exchange;
    if (first.isSystem() || isOwn(first, name)) {
      for (const message of exchange) seen.push(message);
      continue;
    }
    const heard = hear(exchange, toolTurns === 'text');
    if (heard !== undefined) seen.push(names === 'text' ? withNameInText(heard) : heard);
  }
  return unlessSame(all, seen);
}

function isOwn(message: Message, name: string): boolean {
  return message.isAssistant() && message.name === name;
}

/** An exchange of others as one message of the user; undefined where something was left out, and nothing is left. */
function hear(exchange: readonly [Message, ...Message[]], tellsTools: boolean): Message | undefined {
  const [first] = exchange;
  const before = first.content.parts;
  const parts = tellsTools && usesTools(first) ? joined(toldParts(exchange)) : saidParts(first);
  const isSame = parts.length === before.size && parts.every((part, at) => part === before.at(at));
  const content = isSame ? first.content : Content.owningParts(parts);
  const hasLost = parts.length < before.size || usesTools(first);
  return hasLost && content.isEmpty() ? undefined : asUser(first, content);
}

function usesTools(message: Message): boolean {
  return message.isTool() || message.hasToolCalls();
}

/** What is said, without the calls; an answer says nothing by itself. */
function saidParts(message: Message): ContentPart[] {
  return message.isTool() ? [] : [...message.content.parts].flatMap((part) => heardPart(part, message));
}

/** What is said and called in true order, then the answers in the order of the calls. */
function toldParts(exchange: readonly [Message, ...Message[]]): ContentPart[] {
  const [first] = exchange;
  if (first.isTool()) return answerParts(first, undefined);
  const steps = [...first.blocks()].flatMap((block) =>
    block.type === 'part' ? heardPart(block.part, first) : [ContentPart.text(toldCall(block.call))],
  );
  const answers = answeredCalls(exchange).toSorted((a, b) => a.place - b.place);
  return [...steps, ...answers.flatMap(({ answer, call }) => answerParts(answer, call))];
}

/** What an answer says in words, then its media. */
function answerParts(answer: Message, call: ToolCall | undefined): ContentPart[] {
  const media = [...answer.content.parts].filter(isMedia).flatMap((part) => heardPart(part, answer));
  return [ContentPart.text(toldAnswer(answer, call, toldText(answer.content))), ...media];
}

/** A part as others may hear it. What a model's provider alone understands is not for them. */
function heardPart(part: ContentPart, message: Message): ContentPart[] {
  if (part.type === 'reasoning' || part.isMark()) return [];
  if (part.type === 'refusal') return [ContentPart.text(refusalText(part))];
  if (message.isUser()) return [part];
  const isBound = !OPEN_TYPES.has(part.type) && (part.origin ?? message.origin) !== undefined;
  return isBound ? [] : [part.withField('_origin', null)];
}

/** Plain texts that follow each other as one, in lines. */
function joined(parts: readonly ContentPart[]): ContentPart[] {
  const out: ContentPart[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    const text = linesOf(lines);
    if (text !== '') out.push(ContentPart.text(text));
    lines = [];
  };
  for (const part of parts) {
    if (part.isSimple()) lines.push(part.toString());
    else {
      flush();
      out.push(part);
    }
  }
  flush();
  return out;
}

/** The message in the role of the user, without tool data. Of where it comes from, what proves it to its provider is left out. */
function asUser(message: Message, content: Content): Message {
  if (message.isUser()) return message.withContent(content).withToolCalls([]).withToolResult(undefined);
  const { id, timestamp, name, metadata, parentId, origin, incomplete } = message;
  return Message.of({
    role: 'user',
    id,
    createdAt: timestamp,
    name,
    content,
    metadata,
    parentId,
    incomplete,
    origin: origin && withoutData(origin),
  });
}

function withoutData({ provider, model }: Origin): Origin {
  return model === undefined ? { provider } : { provider, model };
}

/** The name before the text instead of in its field. Who says nothing keeps the field. */
function withNameInText(message: Message): Message {
  const { content } = message;
  if (message.name === '' || content.isEmpty()) return message;
  const name = oneLine(message.name);
  return (name === '' ? message : message.withContent(prefixed(content, `${name}: `))).withName('');
}

function prefixed(content: Content, prefix: string): Content {
  const [first, ...others] = content.parts;
  return first?.isTextPart() === true
    ? Content.owningParts([first.withField('text', prefix + first.toString()), ...others])
    : Content.owningParts([ContentPart.text(prefix), ...content.parts]);
}
