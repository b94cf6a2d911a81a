import { ContentPart } from '../../model/content-part.ts';
import { PROVIDER } from './parts.ts';

/**
 * The fields in which servers beside OpenAI's own tell what a model thought: DeepSeek, vLLM and SGLang in the first one
 * (api-docs.deepseek.com, Thinking Mode), OpenRouter, Groq and newer vLLM in the second.
 */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const satisfies readonly ReasoningField[];

/** A field that tells what a model thought. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

/** Reasoning that was read from a field, where it goes back to. */
export function reasoningPart(field: ReasoningField, text: string): ContentPart {
  return ContentPart.owning({ type: 'reasoning', text, _origin: { provider: PROVIDER, data: field } });
}

/** The field that reasoning was read from; undefined for any other part. */
export function reasoningFieldOf({ type, origin }: ContentPart): ReasoningField | undefined {
  if (type !== 'reasoning' || origin?.provider !== PROVIDER) return undefined;
  return REASONING_FIELDS.find((field) => field === origin.data);
}
