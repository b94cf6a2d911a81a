import { Immer } from 'immer';
import { lazy } from '../internal/lazy.ts';

/** Freezes nothing: an object of the caller's that is put into a draft stays the caller's, since the values copy it. */
const immer = /* @__PURE__ */ lazy(() => new Immer({ autoFreeze: false }));

/** JSON after a recipe; itself when the recipe changed nothing. What a recipe returns says nothing: `draft => draft.list.push(item)` will do. */
export function edited<Json, Draft>(base: Json, recipe: (draft: Draft) => void): Json {
  return immer().produce(base, (draft) => {
    recipe(draft as Draft);
  });
}
