import { Messages } from '../../model/messages.ts';
import { isRecord } from '../../schema/json.ts';
import type { Decoded, Finish, Loss, Repair, Usage } from '../format.ts';
import { ContentDecoder, readContent } from './decode-content.ts';
import type { Fields } from './origin.ts';

/** The first candidate, why it ended and what it cost. A prompt that was blocked has no candidate. */
export function decodeResponse({ candidates, promptFeedback, usageMetadata, responseId }: Fields): Decoded {
  const repairs: Repair[] = [];
  const [candidate, ...others] = (Array.isArray(candidates) ? candidates : []) as readonly unknown[];
  const fields = isRecord(candidate) ? candidate : {};
  const messages = readMessages(fields['content'], responseId, repairs);
  const losses = others.map((_, at): Loss => ({
    path: `candidates[${at + 1}]`,
    rule: 'further-choice',
    action: 'dropped',
    message: 'only the first candidate is read',
  }));
  const finish = finishOf(fields['finishReason'], promptFeedback, messages);
  const usage = usageOf(usageMetadata);
  return { messages, report: { losses, repairs }, ...(finish && { finish }), ...(usage && { usage }) };
}

/** A content without parts, as a model sends it that was stopped at once, is no message. */
function readMessages(content: unknown, responseId: unknown, repairs: Repair[]): Messages {
  if (!isRecord(content) || !Array.isArray(content['parts']) || content['parts'].length === 0) return Messages.empty();
  const path = 'candidates[0].content';
  const { parts } = readContent(content, repairs, path);
  const seed = typeof responseId === 'string' ? responseId : JSON.stringify(parts);
  return Messages.of(...new ContentDecoder(false).read({ role: 'model', parts }, path, seed));
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
function usageOf(usage: unknown): Usage | undefined {
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
