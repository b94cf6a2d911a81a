import { isRecord } from '../../schema/json.ts';
import type { Finish, FinishReason, Usage } from '../format.ts';
import { fieldsOf } from './origin.ts';

type Fields = Readonly<Record<string, unknown>>;

const FINISH: Readonly<Record<string, FinishReason>> = {
  completed: 'stop',
  max_output_tokens: 'length',
  content_filter: 'content_filter',
  failed: 'error',
  cancelled: 'error',
};

/** Why a response ended, where it says so: the reason of one that was cut, else its status (`openai` package, Response). */
export function finishOf({ status, incomplete_details: details }: Fields): Finish | undefined {
  const raw = (status === 'incomplete' ? fieldsOf(details)?.['reason'] : undefined) ?? status;
  if (typeof raw !== 'string') return undefined;
  return { reason: Object.hasOwn(FINISH, raw) ? (FINISH[raw] as FinishReason) : 'other', raw };
}

/** What a response cost. Cached tokens are inside `input_tokens`, reasoning inside `output_tokens` (`openai` package, ResponseUsage). */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const cached = fieldsOf(usage['input_tokens_details'])?.['cached_tokens'];
  const reasoning = fieldsOf(usage['output_tokens_details'])?.['reasoning_tokens'];
  return {
    inputTokens: count(usage['input_tokens']),
    outputTokens: count(usage['output_tokens']),
    ...(typeof cached === 'number' && { cachedInputTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  };
}

function count(tokens: unknown): number {
  return typeof tokens === 'number' ? tokens : 0;
}
