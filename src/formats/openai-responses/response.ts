import { isRecord } from '../../schema/json.ts';
import type { Finish, FinishReason, Usage } from '../format.ts';

type Fields = Readonly<Record<string, unknown>>;

const FINISH: Readonly<Record<string, FinishReason>> = {
  completed: 'stop',
  max_output_tokens: 'length',
  content_filter: 'content_filter',
  failed: 'error',
  cancelled: 'error',
};

/**
 * Why a response ended, where it says so: the reason of one that was cut, else its status. That it calls tools or refuses
 * shows only in its items (`openai` package, Response).
 */
export function finishOf(
  { status, incomplete_details: details }: Fields,
  output: readonly unknown[],
): Finish | undefined {
  const why = isRecord(details) ? details['reason'] : undefined;
  const raw = status === 'incomplete' && typeof why === 'string' ? why : status;
  if (typeof raw !== 'string') return undefined;
  const reason = Object.hasOwn(FINISH, raw) ? (FINISH[raw] as FinishReason) : 'other';
  return { reason: reason === 'stop' ? reasonIn(output.filter(isRecord)) : reason, raw };
}

function reasonIn(items: readonly Fields[]): FinishReason {
  if (items.some(({ type }) => type === 'function_call' || type === 'custom_tool_call')) return 'tool_calls';
  return items.some(refuses) ? 'content_filter' : 'stop';
}

function refuses({ content }: Fields): boolean {
  return Array.isArray(content) && content.some((part: unknown) => isRecord(part) && part['type'] === 'refusal');
}

/** What a response cost. Cached tokens are inside `input_tokens`, reasoning inside `output_tokens` (`openai` package, ResponseUsage). */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const cached = numberAt(usage['input_tokens_details'], 'cached_tokens');
  const reasoning = numberAt(usage['output_tokens_details'], 'reasoning_tokens');
  return {
    inputTokens: numberAt(usage, 'input_tokens') ?? 0,
    outputTokens: numberAt(usage, 'output_tokens') ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

function numberAt(record: unknown, key: string): number | undefined {
  const value = isRecord(record) ? record[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}
