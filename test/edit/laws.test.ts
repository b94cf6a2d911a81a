import { fc, it } from '@fast-check/vitest';
import { insertAfter, mapMessages, moveSection, removeMessage, renameSection, replaceMessage } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { expectEqual, expectFrozen } from '../support/model-values.ts';

const any = arbitraries(fc);
const NEW = 'a name that no section has';

describe('verbs on any store', () => {
  it.prop([any.store])('rename there and back again', (store) => {
    for (const name of store.sections.names()) {
      const renamed = store.pipe(renameSection(name, NEW));
      expect(renamed.sections.get(NEW)?.messages).toBe(store.sections.get(name)?.messages);
      expectEqual(renamed.pipe(renameSection(NEW, name)), store);
    }
  });

  it.prop([any.store, fc.integer({ min: -6, max: 6 })])('move a section, and no other', (store, to) => {
    for (const [at, name] of store.sections.names().entries()) {
      const moved = store.pipe(moveSection(name, to));
      const others = store.sections.names().filter((other) => other !== name);
      expect(moved.sections.names().filter((other) => other !== name)).toEqual(others);
      expectEqual(moved.pipe(moveSection(name, at)), store);
      expectFrozen(moved);
    }
  });

  it.prop([any.store])('change nothing where they have nothing to change', (store) => {
    expect(store.pipe(mapMessages((message) => message))).toBe(store);
    expect(store.pipe(renameSection(NEW, 'b')).pipe(moveSection(NEW, 0))).toBe(store);
    for (const [at, name] of store.sections.names().entries()) expect(store.pipe(moveSection(name, at))).toBe(store);
    for (const { id } of store.toMessages()) {
      expect(store.pipe(replaceMessage(id, (message) => message))).toBe(store);
      expect(store.pipe(insertAfter(id, []))).toBe(store);
    }
  });

  it.prop([any.store])('map each message once, in its section', (store) => {
    const seen: string[] = [];
    store.pipe(
      mapMessages((message, { name }) => {
        seen.push(`${name} ${message.id}`);
        return message;
      }),
    );
    expect(seen).toEqual(store.sections.map(({ name, messages }) => messages.map(({ id }) => `${name} ${id}`)).flat());
  });

  it.prop([any.store])('take messages out one by one', (store) => {
    const emptied = store.sections
      .map(({ messages }) => messages.map(({ id }) => id))
      .flat()
      .reduce((rest, id) => rest.pipe(removeMessage(id)), store);
    expect(emptied.sections.map(({ name, size }) => [name, size])).toEqual(
      store.sections.names().map((name) => [name, 0]),
    );
  });
});
