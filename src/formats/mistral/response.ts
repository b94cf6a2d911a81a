import { isRecord } from '../../schema/json.ts';
import type { Decoded, FinishReason, Usage } from '../format.ts';
import type { Fields } from './origin.ts';

/** Why a response ended and what it cost, where it says so; also as the JavaScript package spells it. */
export function endOf(choice: Fields, usage: unknown): Pick<Decoded, 'finish' | 'usage'> {
  const raw = choice['finish_reason'] ?? choice['finishReason'];
  return {
    ...(typeof raw === 'string' && { finish: { reason: reasonOf(raw), raw: raw.toWellFormed() } }),
    ...(isRecord(usage) && { usage: usageOf(usage) }),
  };
}

/** The reasons of the wire are our words, save one (`@mistralai/mistralai`, ChatCompletionChoiceFinishReason). */
function reasonOf(raw: string): FinishReason {
  if (raw === 'model_length') return 'length';
  return /^(stop|length|tool_calls|error)$/.test(raw) ? (raw as FinishReason) : 'other';
}

/** Cached tokens are part of the prompt's (`@mistralai/mistralai`, PromptTokensDetails). */
function usageOf(usage: Fields): Usage {
  const count = (name: string): number => Number(usage[`${name}_tokens`] ?? usage[`${name}Tokens`] ?? 0);
  const { prompt_tokens_details: details } = usage;
  const cached = isRecord(details) ? details['cached_tokens'] : undefined;
  return {
    inputTokens: count('prompt'),
    outputTokens: count('completion'),
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
  };
}
