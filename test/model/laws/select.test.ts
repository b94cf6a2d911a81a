import { fc, it } from '@fast-check/vitest';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { expectEqual } from '../../support/model-values.ts';

const any = arbitraries(fc);

/** A store, and names to ask it for: its own in any order and number, and others. */
const asked = any.store.chain((store) =>
  fc.tuple(
    fc.constant(store),
    fc.array(fc.constantFrom(...store.sections.names(), 'no such section'), { minLength: 1 }),
  ),
);

describe('select', () => {
  it.prop([asked])('gives the sections that there are, in the order asked, each once', ([store, names]) => {
    const chosen = store.select(names);
    expect(chosen.sections.names()).toEqual([...new Set(names)].filter((name) => store.sections.has(name)));
    expect([...chosen.sections].every((section) => section === store.sections.get(section.name))).toBe(true);
    expect(chosen.parameters().get()).toBe(store.parameters().get());
  });

  it.prop([asked])('asked again gives the same', ([store, names]) => {
    const chosen = store.select(names);
    expect(chosen.select(names)).toBe(chosen);
  });

  it.prop([any.store])('of all names, or of none, is the store itself', (store) => {
    expect(store.select(store.sections.names())).toBe(store);
    expect(store.select([])).toBe(store);
  });

  it.prop([any.store])('of one name is that name in a list', (store) => {
    for (const name of store.sections.names()) expectEqual(store.select(name), store.select([name]));
  });

  it.prop([asked])('then toMessages gives the sections one after another', ([store, names]) => {
    const oneByOne = [...new Set(names)].flatMap((name) => [...store.section(name).messages().withoutEmptyMessages()]);
    expect([...store.select(names).toMessages()]).toEqual(oneByOne);
  });
});

describe('toMessages', () => {
  it.prop([any.store])('gives every message that says something once, in order, as the same instance', (store) => {
    const spoken = store.sections.map((section) => [...section].filter((message) => !message.isEmpty())).flat();
    const flat = [...store.toMessages()];
    expect(flat).toHaveLength(spoken.length);
    expect(flat.every((message, at) => message === spoken[at])).toBe(true);
  });

  it.prop([any.store])('is remembered', (store) => {
    expect(store.toMessages()).toBe(store.toMessages());
  });

  it.prop([any.store])('does not see what says nothing', (store) => {
    expectEqual(store.withoutEmpty().toMessages(), store.toMessages());
  });
});
