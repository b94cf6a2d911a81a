import { fc, it } from '@fast-check/vitest';
import { type Message, Messages, MessageStore, Metadata, Sections, ToolCalls } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';

const any = arbitraries(fc);

/** Each of the changes gives back the very instance. */
function changesNothing<T extends object>(value: T, changes: Readonly<Record<string, (value: T) => unknown>>): void {
  const changed = Object.entries(changes).filter(([, change]) => change(value) !== value);
  expect(changed.map(([name]) => name)).toEqual([]);
}

/** The same once more, as another instance. */
function copyOf<T extends { toJSON(): unknown }>(value: T, { fromJSON }: { fromJSON(json: unknown): T }): T {
  return fromJSON(value.toJSON());
}

describe('a change that changes nothing gives the same', () => {
  it.prop([any.metadata])('metadata', (metadata) => {
    changesNothing(metadata, {
      update: (it) => it.update(() => {}),
      'update to the same': (it) =>
        it.update((draft) => {
          for (const key of it.keys().filter((name) => name !== '__proto__'))
            draft[key] = structuredClone(it.get(key)) as never;
        }),
      withMergedData: (it) => it.withMergedData({}),
      'withMergedData of itself': (it) => it.withMergedData(copyOf(it, Metadata)),
      'withKeyValue of what is there': (it) =>
        [...it].reduce((same, [key, value]) => same.withKeyValue(key, value), it),
      'withoutKey of what is not there': (it) => it.withoutKey('no such key'),
      from: (it) => Metadata.from(it),
    });
  });

  it.prop([any.part])('content part', (part) => {
    changesNothing(part, {
      withFields: (it) => it.withFields({ ...it.fields }),
      'withField of what is there': (it) =>
        Object.entries(it.fields)
          .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
          .reduce((same, [key, value]) => same.withField(key, value), it),
      'withField type': (it) => it.withField('type', 'other'),
      'withField null of what is not there': (it) => it.withField('no such key', null),
    });
  });

  it.prop([any.toolCalls])('tool calls', (calls) => {
    changesNothing(calls, {
      concat: (it) => it.concat(ToolCalls.empty()),
      filter: (it) => it.filter(() => true),
      from: (it) => ToolCalls.from(it),
    });
    for (const call of calls) {
      changesNothing(call, {
        with: (it) => it.with({}),
        withId: (it) => it.withId(it.idString()),
        withName: (it) => it.withName(it.name),
        withArgs: (it) => it.withArgs(it.argsText),
        'with its own fields': ({ ...own }) => call.with({ ...own, args: own.argsText }),
      });
    }
  });

  it.prop([any.message])('message', (message) => {
    changesNothing<Message>(message, {
      withContent: (it) => it.withContent(it.content),
      'withContent of equal content': (it) => it.withContent(it.content.toJSON()),
      withRole: (it) => it.withRole(it.role),
      withName: (it) => it.withName(it.name),
      withToolCalls: (it) => it.withToolCalls(it.toolCalls),
      'withToolCalls of equal calls': (it) => it.withToolCalls(it.toolCalls.toJSON()),
      withToolResult: (it) => it.withToolResult(it.toolResult),
      'withToolResult of an equal result': (it) => it.withToolResult(it.toolResult?.toJSON()),
      withParentId: (it) => it.withParentId(it.parentId),
      'withMetadata of what is there': (it) =>
        [...it.metadata].reduce((same, [key, value]) => same.withMetadata(key, value), it),
      'addContentFrom a message without parts': (it) => it.addContentFrom(it.withToolResult(undefined).withContent([])),
    });
  });

  it.prop([any.messages])('messages', (messages) => {
    changesNothing<Messages>(messages, {
      appendMessages: (it) => it.appendMessages([]),
      prependMessages: (it) => it.prependMessages([]),
      withMessages: (it) => it.withMessages(it),
      'withMessages of equal ones': (it) => it.withMessages(it.toJSON()),
      'slice of all': (it) => it.slice(),
      'filter of all': (it) => it.filter(() => true),
      remapRoles: (it) => it.remapRoles({}),
      'removeById of an unknown id': (it) => it.removeById('no such id'),
      'replaceById by itself': (it) =>
        [...it].reduce((same, { id }) => same.replaceById(id, same.getById(id) as Message), it),
      'replaceLast by itself': (it) => (it.last() === undefined ? it : it.replaceLast(it.last() as Message)),
      'insertAfter of nothing': (it) => [...it].reduce((same, { id }) => same.insertAfter(id, []), it),
      from: (it) => Messages.from(it),
    });
    const lean = messages.withoutEmptyMessages();
    expect(lean.withoutEmptyMessages()).toBe(lean);
  });

  it.prop([any.section])('section', (section) => {
    changesNothing(section, {
      appendMessages: (it) => it.appendMessages([]),
      withMessages: (it) => it.withMessages(it.messages),
      withName: (it) => it.withName(it.name),
      withPolicy: (it) => it.withPolicy(it.policy && { ...it.policy }),
      'merge with one that adds nothing': (it) => it.merge(it.withMessages([])),
    });
  });

  it.prop([any.store])('store', (store) => {
    const { sections } = store;
    const names = sections.names();
    changesNothing(store, {
      update: (it) => it.update(() => {}),
      updateWithPatches: (it) => it.updateWithPatches(() => {}).store,
      applyPatches: (it) => it.applyPatches([]),
      'select all': (it) => it.select([]),
      'select all by name': (it) => it.select(names),
      'merge with nothing': (it) => it.merge(MessageStore.empty()),
      'merge with itself without messages': (it) =>
        it.merge(names.reduce((frame, name) => frame.section(name).clear(), it)),
      'setSection of what is there': (it) => sections.reduce((same, section) => same.setSection(section), it),
      'withSection of what is there': (it) => names.reduce((same, name) => same.withSection(name), it),
      'removeSection of what is not there': (it) => it.removeSection('no such section'),
      'appendMessages of nothing': (it) => it.section('no such section').appendMessages([]),
      'append nothing to each': (it) => names.reduce((same, name) => same.section(name).appendMessages([]), it),
      'setMessages of what is there': (it) =>
        names.reduce((same, name) => same.section(name).setMessages(it.section(name).messages()), it),
      'mergeParameters of nothing': (it) => it.parameters().mergeParameters({}),
      'mergeParameters of its own': (it) => it.parameters().mergeParameters(it.parameters().get().toJSON()),
      'withParams of its own': (it) => it.parameters().withParams(it.parameters().get().toJSON()),
      'unsetParameter of what is not there': (it) => it.parameters().unsetParameter('no such key'),
      from: (it) => MessageStore.from(it),
    });
    expect(sections.merge(Sections.empty())).toBe(sections);
    const lean = store.withoutEmpty();
    expect(lean.withoutEmpty()).toBe(lean);
  });
});
