import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { isRecord, NO_FIELDS } from '../../schema/json.ts';
import type { Decoded, Finish, Loss, Usage } from '../format.ts';
import { WireNames } from '../wire-names.ts';
import { ContentDecoder } from './decode-content.ts';
import type { Fields } from './origin.ts';

/** The first candidate, why it ended and what it cost. A prompt that was blocked has no candidate. */
export function decodeResponse({ candidates, promptFeedback, usageMetadata, responseId }: Fields): Decoded {
  const decoder = new ContentDecoder(false);
  const [candidate, ...others] = (Array.isArray(candidates) ? candidates : []) as readonly unknown[];
  const { content, finishReason } = isRecord(candidate) ? candidate : NO_FIELDS;
  const messages = readMessages(content, responseId, decoder);
  const losses = others.map((_, at): Loss => ({
    path: `candidates[${at + 1}]`,
    rule: 'further-choice',
    action: 'dropped',
    message: 'only the first candidate is read',
  }));
  const finish = finishOf(finishReason, promptFeedback, messages);
  const usage = usageOf(usageMetadata);
  return {
    messages: finish?.reason === 'length' ? withCallsCut(messages) : messages,
    report: { losses, repairs: decoder.repairs },
    ...(finish && { finish }),
    ...(usage && { usage }),
  };
}

/** A content without parts, as a model sends it that was stopped at once, is no message. */
function readMessages(content: unknown, responseId: unknown, decoder: ContentDecoder): Messages {
  const { parts } = isRecord(content) ? content : NO_FIELDS;
  if (!Array.isArray(parts) || parts.length === 0) return Messages.empty();
  decoder.read({ role: 'model', parts }, seedOf(responseId, parts), 'candidates[0].content');
  return Messages.owning(decoder.messages);
}

/** What makes the ids of calls that came without one: the id of the response, in letters that every provider takes. */
export function seedOf(responseId: unknown, parts: unknown): string {
  const seeds = new WireNames(
    (text) => /^[\w-]{1,40}$/.test(text),
    (_text, hash) => hash,
  );
  return seeds.of(typeof responseId === 'string' ? responseId : JSON.stringify(parts));
}

/** Messages whose calls must not be run, since the limit of tokens may have cut them. */
function withCallsCut(messages: Messages): Messages {
  const last = messages.last();
  return last?.hasToolCalls() === true
    ? messages.replaceLast(Message.of({ ...last, incomplete: { reason: 'length' } }))
    : messages;
}

const FILTERED = /^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR|IMAGE)/;
const FAILED = /^(OTHER|MALFORMED|UNEXPECTED|TOO_MANY|MISSING)/;

/** What the reasons mean (`@google/genai`, FinishReason). Calls end with `STOP` as well: they are what tells them. */
function finishOf(given: unknown, feedback: unknown, messages: Messages): Finish | undefined {
  const raw = given ?? (isRecord(feedback) ? feedback['blockReason'] : undefined);
  if (typeof raw !== 'string') return undefined;
  if (raw === 'STOP') return { reason: messages.last()?.hasToolCalls() === true ? 'tool_calls' : 'stop', raw };
  if (raw === 'MAX_TOKENS') return { reason: 'length', raw };
  return { reason: raw !== given || FILTERED.test(raw) ? 'content_filter' : FAILED.test(raw) ? 'error' : 'other', raw };
}

/**
 * Cached tokens are inside `promptTokenCount`; thoughts are outside `candidatesTokenCount`, and what tools brought into
 * the prompt is outside `promptTokenCount` (`@google/genai`, GenerateContentResponseUsageMetadata).
 */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (name: string): number => Number(usage[`${name}TokenCount`] ?? 0);
  const reasoningTokens = count('thoughts');
  const cachedInputTokens = count('cachedContent');
  return {
    inputTokens: count('prompt') + count('toolUsePrompt'),
    outputTokens: count('candidates') + reasoningTokens,
    ...('cachedContentTokenCount' in usage && { cachedInputTokens }),
    ...('thoughtsTokenCount' in usage && { reasoningTokens }),
  };
}
