import { ContentPart } from '../../model/content-part.ts';
import { isRecord, type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';

/** The provider of what was read from this wire. */
export const PROVIDER = 'ollama';

const HERE = /* @__PURE__ */ Object.freeze({ provider: PROVIDER });

/** Whether something came from this wire. */
export function isFromHere(origin: Origin | undefined): boolean {
  return origin?.provider === PROVIDER;
}

/** The origin of what was read here; `had` is what it had on the wire and has no other place: see {@link hadOf}. */
export function originOf(had: JsonObject = NO_FIELDS): Origin {
  return had === NO_FIELDS ? HERE : { provider: PROVIDER, data: had };
}

/**
 * What a call or an answer had on this wire, where that is not what would go out by itself: the `type` and `index` of a
 * call, and null for an id or a name that was not there. Nothing for what came from elsewhere.
 */
export function hadOf(origin: Origin | undefined): JsonObject {
  return isFromHere(origin) && isRecord(origin?.data) ? origin.data : NO_FIELDS;
}

/** What the model thought, as well-formed text. */
export function thought(text: string): ContentPart {
  return ContentPart.owning({ type: 'reasoning', text, _origin: HERE });
}
