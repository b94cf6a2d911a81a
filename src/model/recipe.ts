import { Immer } from 'immer';
import { unreadable } from '../errors.ts';
import { lazy } from '../internal/lazy.ts';
import { copyJson } from '../schema/json.ts';

/** Freezes nothing: an object of the caller's that is put into a draft stays the caller's, since the values copy it. */
const immer = /* @__PURE__ */ lazy(() => new Immer({ autoFreeze: false }));

/**
 * JSON after a recipe; itself when the recipe changed nothing. What a recipe returns says nothing:
 * `draft => draft.list.push(item)` will do.
 *
 * @throws InvalidInputError when the recipe leaves what cannot even be walked through: it is too deep, or throws
 */
export function edited<Json extends object, Draft>(base: Json, recipe: (draft: Draft) => void): Json {
  const draft = immer().createDraft(base);
  recipe(draft as Draft);
  try {
    return immer().finishDraft(draft) as Json;
  } catch (cause) {
    copyJson(draft);
    throw unreadable('', cause);
  }
}
