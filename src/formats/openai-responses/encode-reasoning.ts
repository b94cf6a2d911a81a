import type { ContentPart } from '../../model/content-part.ts';
import { copyWithout, fieldsOf, keptOf } from './origin.ts';
import type { Source } from './source.ts';
import type { ResponsesReasoning } from './wire.ts';

/** The date at the end of a model's name. */
const DATE = /-\d{4}-\d{2}-\d{2}$/;

/**
 * Reasoning as it came, for the provider and the model that made it; undefined for any other, which cannot be sent as
 * reasoning: it takes the provider's proof.
 */
export function encodeReasoning(part: ContentPart, { message, request }: Source): ResponsesReasoning | undefined {
  const { model, stored = true } = request.options;
  const item = fieldsOf(keptOf(part.origin)?.item);
  if (item === undefined || typeof item['id'] !== 'string' || !Array.isArray(item['summary'])) return undefined;
  const maker = part.origin?.model ?? message.origin?.model ?? model;
  if (model !== undefined && maker !== model && maker?.replace(DATE, '') !== model) return undefined;
  if (!stored && typeof item['encrypted_content'] !== 'string') return undefined;
  return { ...copyWithout(item, 'created_by'), type: 'reasoning' } as ResponsesReasoning;
}
