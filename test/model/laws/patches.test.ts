import { fc, it } from '@fast-check/vitest';
import type { Message } from 'message-store';
import { MessageStore, type StoreDraft } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { expectEqual, expectFrozen } from '../../support/model-values.ts';

const any = arbitraries(fc);

type Edit = (draft: StoreDraft) => void;

/** What a recipe does; a place that the store does not have leaves it as it is. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(any.text, any.json).map(([key, value]): Edit => (draft) => {
    if (key !== '__proto__') draft.parameters[key] = value as never;
  }),
  fc.constant<Edit>((draft) => {
    delete draft.parameters[Object.keys(draft.parameters)[0] ?? ''];
  }),
  fc.tuple(fc.nat(3), fc.nat(5)).map(([at, index]): Edit => (draft) => {
    const message = draft.sections[at]?.messages[index];
    message?.tool_calls?.splice(0);
    if (message?._metadata !== undefined) delete message._metadata[Object.keys(message._metadata)[0] ?? ''];
    if (Array.isArray(message?.content)) message.content.splice(0, 1);
  }),
  any.json.map((value): Edit => (draft) => {
    for (const key of Object.keys(draft.parameters)) {
      const nested = draft.parameters[key];
      if (typeof nested === 'object' && nested !== null && !Array.isArray(nested)) nested['changed'] = value as never;
      if (Array.isArray(nested)) nested.splice(0, 1, value as never);
    }
  }),
  fc.tuple(fc.nat(3), any.message).map(([at, message]): Edit => (draft) => {
    draft.sections[at]?.messages.push(structuredClone(message.toJSON()) as never);
  }),
  fc.tuple(fc.nat(3), fc.nat(5)).map(([at, index]): Edit => (draft) => {
    draft.sections[at]?.messages.splice(index, 1);
  }),
  fc.tuple(fc.nat(3), fc.nat(5), any.content).map(([at, index, content]): Edit => (draft) => {
    const message = draft.sections[at]?.messages[index];
    if (message !== undefined) message.content = structuredClone(content.toJSON()) as never;
  }),
  fc.tuple(fc.nat(3), fc.nat(5)).map(([at, index]): Edit => (draft) => {
    const message = draft.sections[at]?.messages[index];
    if (message !== undefined) message.role = 'developer';
  }),
  fc.nat(3).map((at): Edit => (draft) => {
    draft.sections.splice(at, 1);
  }),
  fc.constant<Edit>((draft) => {
    draft.sections.reverse();
  }),
  fc.nat(3).map((at): Edit => (draft) => {
    const [from, to] = [draft.sections[0], draft.sections[at]];
    const moved = from?.messages.shift();
    if (moved !== undefined) to === undefined ? from?.messages.push(moved) : to.messages.push(moved);
  }),
);
const recipe = fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits): Edit => (draft) => {
  for (const change of edits) change(draft);
});

describe('updateWithPatches', () => {
  it.prop([any.store, recipe])('gives what update gives', (store, change) => {
    expectEqual(store.updateWithPatches(change).store, store.update(change));
  });

  it.prop([any.store, recipe])('tells the way there, for any equal store', (store, change) => {
    const { store: changed, patches } = store.updateWithPatches(change);
    const elsewhere = MessageStore.parse(JSON.stringify(store));
    expectEqual(store.applyPatches(patches), changed);
    expectEqual(elsewhere.applyPatches(JSON.parse(JSON.stringify(patches))), changed);
  });

  it.prop([any.store, recipe])('tells the way back', (store, change) => {
    const { store: changed, inversePatches } = store.updateWithPatches(change);
    expectEqual(changed.applyPatches(inversePatches), store);
    expectEqual(changed.applyPatches(JSON.parse(JSON.stringify(inversePatches))), store);
  });

  it.prop([any.store, recipe])('leaves the store as it was, and gives frozen results', (store, change) => {
    const text = JSON.stringify(store);
    const { store: changed, patches, inversePatches } = store.updateWithPatches(change);
    expect(JSON.stringify(store)).toBe(text);
    [changed, patches, inversePatches].forEach(expectFrozen);
  });

  it.prop([any.store, recipe])('tells nothing when nothing changes', (store, change) => {
    const { store: changed, patches } = store.updateWithPatches(change);
    expect(changed === store).toBe(patches.length === 0);
    expect(changed === store || !changed.equals(store)).toBe(true);
  });
});

describe('what a recipe does not touch', () => {
  it.prop([any.store, any.message])('keeps its instances', (store, message) => {
    fc.pre(store.sections.size > 1);
    const { store: changed } = store.updateWithPatches((draft) => {
      draft.sections[0]?.messages.push(structuredClone(message.toJSON()) as never);
    });
    const [first, ...others] = store.sections;
    const [changedFirst, ...changedOthers] = changed.sections;
    expect(changedOthers.every((section, at) => section === others[at])).toBe(true);
    expect([...(first ?? [])].every((old, at) => changedFirst?.messages.at(at) === old)).toBe(true);
    expect(changed.parameters().get()).toBe(store.parameters().get());
  });

  it.prop([any.store])('keeps its sections when the parameters change', (store) => {
    const changed = store.update((draft) => {
      draft.parameters['new'] = { deep: [1] };
    });
    expect(changed.sections).toBe(store.sections);
  });

  it.prop([any.store, fc.nat(5)])('keeps its instances among changed messages', (store, index) => {
    const first = store.sections.first();
    const target = first?.messages.at(index);
    fc.pre(first !== undefined && target !== undefined && target.name !== 'renamed');
    const changed = store.update((draft) => {
      (draft.sections[0]?.messages[index] as { name?: string }).name = 'renamed';
    });
    changed.sections.first()?.messages.forEach((message, at) => {
      expectEqual(message, (first?.messages.at(at) as Message).withName(at === index ? 'renamed' : message.name));
      expect(message === first?.messages.at(at)).toBe(at !== index);
    });
  });

  it.prop([any.store])('stays the same when it moves', (store) => {
    const moved = store.update((draft) => {
      draft.sections.reverse();
    });
    expect([...moved.sections].every((section) => section === store.sections.get(section.name))).toBe(true);
  });
});
