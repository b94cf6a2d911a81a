import { reject } from '../../errors.ts';
import { now, timeText } from '../../internal/ids.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { decodeFrequent } from './decode-frequent.ts';
import { checkStrictly } from './strict.ts';
import type { Decoded, DecodeOptions, Finish, FinishReason, Repair, Usage } from '../format.ts';
import { inCallOrder } from '../call-order.ts';
import { rejectWire } from '../failure.ts';
import { recorded } from '../recorded.ts';
import { wellFormed } from '../well-formed.ts';
import { REFUSAL_FIELD } from './parts.ts';
import { REASONING_FIELDS, reasoningPart } from './reasoning-field.ts';

type Fields = Record<string, unknown>;

const pathOfMessage = (at: number): string => `messages[${at}]`;

/**
 * The messages of a request's history (`{ messages }` or the list), or of a response (`{ choices }`: the
 * first choice, with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read; with `strict` also of what a strict server would
 * refuse, and with a code for each rule
 * @throws MessageStoreError `provider_error` where it is a provider's error answer
 */
export function decode(wire: unknown, options: DecodeOptions = {}): Decoded {
  return recorded(decodeAll(wire, options), options);
}

function decodeAll(wire: unknown, { strict = false }: DecodeOptions): Decoded {
  if (isRecord(wire) && Array.isArray(wire['choices'])) return decodeResponse(wire, wire['choices'], strict);
  const list = isRecord(wire) ? wire['messages'] : wire;
  if (!Array.isArray(list)) return rejectWire('messages', wire);
  if (strict) list.forEach((item, at) => checkStrictly(item, pathOfMessage(at)));
  const repairs: Repair[] = [];
  const time = now();
  const messages: Message[] = [];
  for (const item of list as readonly unknown[])
    messages.push(decodeFrequent(item, time) ?? decodeMessage(item, pathOfMessage(messages.length), time, repairs));
  const read = Messages.owning(messages);
  return { messages: strict ? inCallOrder(read, repairs, pathOfMessage) : read, report: { losses: [], repairs } };
}

function decodeMessage(wire: unknown, path: string, time: number, repairs: Repair[]): Message {
  const item = wellFormed(wire, repairs, path);
  if (!isRecord(item) || typeof item['role'] !== 'string') return reject(path, 'a message with a role', item);
  const fields = item['role'] === 'assistant' ? assistantFields(item) : item;
  return Message.from({ createdAt: timeText(time), ...fields }, undefined, undefined, path);
}

/**
 * An assistant may say nothing where it calls, refuses or speaks; a refusal beside the content, and reasoning, are parts
 * like any other here.
 */
function assistantFields(item: Fields): Fields {
  const { content = null, refusal } = item;
  const field = REASONING_FIELDS.find((key) => isFilled(item[key]));
  const isRefused = typeof refusal === 'string';
  if (field === undefined && !isRefused) return content === null && hasOther(item) ? { ...item, content: [] } : item;
  const { [field ?? '']: reasoning, ...others } = item;
  const parts = [
    field === undefined ? [] : reasoningPart(field, reasoning as string),
    content ?? [],
    isRefused ? ContentPart.of('refusal', { refusal, _origin: REFUSAL_FIELD }) : [],
  ];
  return { ...others, ...(isRefused && { refusal: undefined }), content: parts.flat() };
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function hasOther({ tool_calls, audio, function_call }: Fields): boolean {
  return (tool_calls ?? audio ?? function_call ?? null) !== null;
}

function decodeResponse(wire: Fields, choices: readonly unknown[], strict: boolean): Decoded {
  const path = 'choices[0].message';
  const repairs: Repair[] = [];
  const [choice, ...others] = choices;
  if (!isRecord(choice)) return reject('choices[0]', 'a choice with a message', choice);
  if (strict) checkStrictly(choice['message'], path);
  const losses = others.map((_, at): Repair => ({
    path: `choices[${at + 1}]`,
    rule: 'further-choice',
    action: 'dropped',
    message: 'only the first choice is read',
  }));
  const usage = decodeUsage(wire['usage']);
  const reason = wellFormed(choice['finish_reason'], repairs, 'choices[0].finish_reason');
  const said = reason === 'length' ? withCallsCut(choice['message']) : choice['message'];
  const read = Messages.of(decodeMessage(said, path, now(), repairs));
  return {
    messages: strict ? inCallOrder(read, repairs, () => path) : read,
    report: { losses, repairs },
    ...(typeof reason === 'string' && { finish: decodeFinish(reason) }),
    ...(usage && { usage }),
  };
}

/** A message whose calls must not be run, since the limit of tokens may have cut them. */
function withCallsCut(message: unknown): unknown {
  const hasCalls = isRecord(message) && Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0;
  return hasCalls ? { ...message, incomplete: { reason: 'length' } } : message;
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

function decodeFinish(raw: string): Finish {
  return { reason: Object.hasOwn(FINISH, raw) ? (FINISH[raw] as FinishReason) : 'other', raw };
}

/** Cached tokens are inside `prompt_tokens`, reasoning tokens inside `completion_tokens` (openai package, CompletionUsage). */
export function decodeUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const cached = numberAt(usage['prompt_tokens_details'], 'cached_tokens');
  const reasoning = numberAt(usage['completion_tokens_details'], 'reasoning_tokens');
  return {
    inputTokens: numberAt(usage, 'prompt_tokens') ?? 0,
    outputTokens: numberAt(usage, 'completion_tokens') ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function numberAt(record: unknown, key: string): number | undefined {
  const value = isRecord(record) ? record[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}
