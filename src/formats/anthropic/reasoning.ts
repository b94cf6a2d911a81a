import { ContentPart } from '../../model/content-part.ts';
import type { JsonObject } from '../../schema/json.ts';
import { PROVIDER } from './origin.ts';

/** Reasoning of this provider, with the proof that takes it back there; without one it does not go back. */
export function reasoningOf(text: string, model: string | undefined, data?: JsonObject): ContentPart {
  const origin = { provider: PROVIDER, ...(model !== undefined && { model }), ...(data !== undefined && { data }) };
  return ContentPart.owning({ type: 'reasoning', text, _origin: origin });
}
