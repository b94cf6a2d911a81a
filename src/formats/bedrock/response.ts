import { isRecord } from '../../schema/json.ts';
import type { Decoded, FinishReason, Usage } from '../format.ts';

type Fields = Record<string, unknown>;

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  malformed_model_output: 'error',
  malformed_tool_use: 'error',
};

/**
 * Why a response ended and what it cost, where it says so. What was read from and written into the cache stands beside
 * `inputTokens` (`@aws-sdk/client-bedrock-runtime`, TokenUsage).
 */
export function endOf({ stopReason: raw, usage }: Fields): Pick<Decoded, 'finish' | 'usage'> {
  return {
    ...(typeof raw === 'string' && {
      finish: { reason: Object.hasOwn(FINISH, raw) ? (FINISH[raw] as FinishReason) : 'other', raw },
    }),
    ...(isRecord(usage) && { usage: usageOf(usage) }),
  };
}

function usageOf({
  inputTokens,
  outputTokens,
  cacheReadInputTokens: cached,
  cacheWriteInputTokens: written,
}: Fields): Usage {
  return {
    inputTokens: count(inputTokens) + count(written) + count(cached),
    outputTokens: count(outputTokens),
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
  };
}

function count(tokens: unknown): number {
  return typeof tokens === 'number' ? tokens : 0;
}
