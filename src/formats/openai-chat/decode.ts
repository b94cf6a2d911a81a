import { reject } from '../../errors.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import { isRole, type MessageRole } from '../../schema/role.ts';
import type { Decoded, Finish, FinishReason, Repair, Usage } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { REFUSAL_FIELD } from './parts.ts';

type Fields = Record<string, unknown>;

/**
 * The messages of a request's history (`{ messages }` or the list), or of a response (`{ choices }`: the
 * first choice, with finish reason and usage).
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function decode(wire: unknown): Decoded {
  const repairs: Repair[] = [];
  const losses: Repair[] = [];
  const clean = wellFormed(wire, repairs);
  if (isRecord(clean) && Array.isArray(clean['choices'])) return decodeResponse(clean, clean['choices'], repairs);
  const list = isRecord(clean) ? clean['messages'] : clean;
  if (!Array.isArray(list))
    return reject('messages', 'a list of messages, or an object with messages or choices', wire);
  const messages = list.map((item: unknown, at) => decodeMessage(item, `messages[${at}]`));
  return { messages: Messages.from(messages), report: { losses, repairs } };
}

function decodeMessage(item: unknown, path: string): Message {
  if (!isRecord(item) || typeof item['role'] !== 'string') return reject(path, 'a message with a role', item);
  if (isPlainText(item)) return Message.plain(item.role, item.content);
  return Message.from(item['role'] === 'assistant' ? assistantFields(item) : item, undefined, undefined, path);
}

/** An assistant may say nothing where it calls, refuses or speaks; a refusal beside the content is a part like any other here. */
function assistantFields({ refusal, ...item }: Fields): Fields {
  const { content = null } = item;
  if (typeof refusal === 'string') {
    return { ...item, content: [...listOf(content), ContentPart.of('refusal', { refusal, _origin: REFUSAL_FIELD })] };
  }
  const fields = refusal === undefined ? item : { refusal, ...item };
  return content === null && hasOther(item) ? { ...fields, content: [] } : fields;
}

function listOf(content: unknown): readonly unknown[] {
  if (content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function hasOther({ tool_calls, audio, function_call }: Fields): boolean {
  return [tool_calls, audio, function_call].some((value) => value !== undefined && value !== null);
}

/** The most frequent kind of message: a role and text, and nothing else. */
function isPlainText(item: Fields): item is { readonly role: MessageRole; readonly content: string } {
  return typeof item['content'] === 'string' && isRole(item['role']) && Object.keys(item).length === 2;
}

function decodeResponse(response: Fields, choices: readonly unknown[], repairs: Repair[]): Decoded {
  const [choice, ...others] = choices;
  if (!isRecord(choice)) return reject('choices[0]', 'a choice with a message', choice);
  const losses = others.map((_, at): Repair => ({
    path: `choices[${at + 1}]`,
    rule: 'further-choice',
    action: 'dropped',
    message: 'only the first choice is read',
  }));
  const usage = decodeUsage(response['usage']);
  return {
    messages: Messages.of(decodeMessage(choice['message'], 'choices[0].message')),
    report: { losses, repairs },
    ...(typeof choice['finish_reason'] === 'string' && { finish: decodeFinish(choice['finish_reason']) }),
    ...(usage && { usage }),
  };
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
function decodeUsage(usage: unknown): Usage | undefined {
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
