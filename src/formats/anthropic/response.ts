import { isRecord } from '../../schema/json.ts';
import type { Decoded, FinishReason, Usage } from '../format.ts';

type Fields = Record<string, unknown>;

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/**
 * Why a response ended and what it cost, where it says so. What was read from and written into the cache stands beside
 * `input_tokens`; thinking is inside `output_tokens` (`@anthropic-ai/sdk`, Usage).
 */
export function endOf({ stop_reason: raw, usage }: Fields): Pick<Decoded, 'finish' | 'usage'> {
  return {
    ...(typeof raw === 'string' && {
      finish: { reason: Object.hasOwn(FINISH, raw) ? (FINISH[raw] as FinishReason) : 'other', raw },
    }),
    ...(isRecord(usage) && { usage: usageOf(usage) }),
  };
}

function usageOf(usage: Fields): Usage {
  const { cache_read_input_tokens: cached, output_tokens_details: details } = usage;
  const reasoning = isRecord(details) ? details['thinking_tokens'] : undefined;
  return {
    inputTokens: count(usage['input_tokens']) + count(usage['cache_creation_input_tokens']) + count(cached),
    outputTokens: count(usage['output_tokens']),
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  };
}

function count(tokens: unknown): number {
  return typeof tokens === 'number' ? tokens : 0;
}
