import { MessageStore, MessageStoreError, type StorePatch } from 'message-store';
import { assistant, call, result, store, system, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';
import { expectEqual } from '../support/model-values.ts';

const support = store(
  { system: [system('Be brief.')], chat: ['Hi', assistant('', call('f', { a: 1 })), result('f', 'old')] },
  { model: 'small', limits: { tokens: 10 } },
);
const [systemSection, chatSection] = [support.section('system').get(), support.section('chat').get()];

/** What a recipe does can be replayed and undone, on the store and on one that was read from its text. */
function canBeUndone(recipe: Parameters<MessageStore['updateWithPatches']>[0]): MessageStore {
  const { store: changed, patches, inversePatches } = support.updateWithPatches(recipe);
  const elsewhere = MessageStore.parse(JSON.stringify(support));
  expectEqual(elsewhere.applyPatches(JSON.parse(JSON.stringify(patches)) as StorePatch[]), changed);
  expectEqual(changed.applyPatches(inversePatches), support);
  return changed;
}

describe('a recipe', () => {
  it('edits the JSON of the store', () => {
    const changed = support.update((draft) => {
      draft.sections[1]!.messages[0]!.content = 'Hello';
      draft.parameters['model'] = 'large';
    });
    expect(changed.section('chat').messages().map(String)).toEqual(['Hello', '', 'old']);
    expect(changed.parameters().get().toJSON()).toEqual({ model: 'large', limits: { tokens: 10 } });
    expect(support.parameters().get().get('model')).toBe('small');
  });

  it('leaves the instances of what it does not touch', () => {
    const changed = support.update((draft) => {
      draft.sections[1]!.messages[0]!.content = 'Hello';
    });
    expect(changed.section('system').get()).toBe(systemSection);
    expect(changed.section('chat').messages().at(1)).toBe(chatSection.messages.at(1));
    expect(changed.parameters().get()).toBe(support.parameters().get());
    const renamed = support.update((draft) => {
      draft.sections[1]!.name = 'talk';
    });
    expect(renamed.section('talk').messages()).toBe(chatSection.messages);
  });

  it('moves messages as they are', () => {
    const changed = support.update((draft) => {
      draft.sections[0]!.messages.push(draft.sections[1]!.messages.shift()!);
    });
    expect(changed.section('system').messages().at(1)).toBe(chatSection.messages.at(0));
    expect(changed.section('chat').messages().size).toBe(2);
  });

  it('may return something, which says nothing', () => {
    expect(support.update((draft) => draft.sections.pop()).sections.names()).toEqual(['system']);
    expect(
      support
        .update((draft) => (draft.parameters['model'] = 'large'))
        .parameters()
        .get()
        .get('model'),
    ).toBe('large');
    expect(support.update(() => 42)).toBe(support);
  });

  it('may throw, which changes nothing', () => {
    const recipe = () =>
      support.update((draft) => {
        draft.sections.pop();
        throw new Error('mine');
      });
    expect(recipe).toThrow('mine');
    expect(support.sections.size).toBe(2);
  });

  it('keeps the fields of sections and of the store that have no meaning here', () => {
    const rich = MessageStore.from({
      sections: [{ name: 'a', messages: ['1'], policy: { pin: true }, color: 'red' }],
      more: 1,
    });
    const changed = rich.update((draft) => {
      draft.sections[0]!.messages[0]!.content = '2';
    });
    expect([changed.extra, changed.section('a').get().extra, changed.section('a').get().policy]).toEqual([
      { more: 1 },
      { color: 'red' },
      { pin: true },
    ]);
  });

  it.each<[string, Parameters<MessageStore['update']>[0], string]>([
    [
      'no list',
      (draft) => void ((draft as { sections: unknown }).sections = {}),
      'sections: expected a list, got an object',
    ],
    [
      'no object',
      (draft) => void ((draft as { parameters: unknown }).parameters = [1]),
      'parameters: expected an object, got a list',
    ],
    [
      'no section',
      (draft) => void draft.sections.push('a' as never),
      'sections[2]: expected a section with messages, got "a"',
    ],
    [
      'no messages',
      (draft) => void draft.sections.push({ name: 'b' } as never),
      'sections.b: expected a section with messages, got an object',
    ],
    [
      'no role',
      (draft) => void (draft.sections[1]!.messages[0]!.role = 'robot' as never),
      'sections.chat.messages[0].role: expected one of "system"',
    ],
    [
      'no message',
      (draft) => void draft.sections[1]!.messages.push('Hi' as never),
      'sections.chat.messages[3]: expected an object, got "Hi"',
    ],
    [
      'no JSON',
      (draft) => void (draft.parameters['f'] = (() => 1) as never),
      'parameters.f: expected a JSON value, got a function',
    ],
    [
      'no JSON in a message',
      (draft) => void (draft.sections[1]!.messages[0]!._metadata = { n: 1n as never }),
      'sections.chat.messages[0]._metadata.n: expected a JSON value, got 1n',
    ],
    ['a name twice', (draft) => void (draft.sections[1]!.name = 'system'), 'there is a section "system" already'],
  ])('is refused where it leaves %s', (_, recipe, message) => {
    expect(() => support.update(recipe)).toThrow(message);
    expect(() => support.updateWithPatches(recipe)).toThrow(message);
  });

  it('is refused where what it leaves cannot be walked through', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = { deep };
    const throwing = { get bad(): never { throw new Error('boom'); } }; // oxfmt-ignore
    const put = (value: unknown) => () => support.update((draft) => void (draft.parameters['a'] = value as never));
    expect(put(deep)).toThrow(/expected nesting of at most \d+ levels/);
    expect(put(throwing)).toThrow('parameters.a.bad: expected a');
  });
});

describe('the patches of a recipe', () => {
  it('say what changed, as JSON', () => {
    const { patches, inversePatches } = support.updateWithPatches((draft) => {
      draft.parameters['model'] = 'large';
      draft.parameters['new'] = true;
      delete draft.parameters['limits'];
      draft.sections[1]!.messages[0]!.content = 'Hello';
    });
    expect(patches).toEqual([
      { op: 'replace', path: ['sections', 1, 'messages', 0, 'content'], value: 'Hello' },
      { op: 'remove', path: ['parameters', 'limits'] },
      { op: 'replace', path: ['parameters', 'model'], value: 'large' },
      { op: 'add', path: ['parameters', 'new'], value: true },
    ]);
    expect(inversePatches).toEqual([
      { op: 'replace', path: ['sections', 1, 'messages', 0, 'content'], value: 'Hi' },
      { op: 'remove', path: ['parameters', 'new'] },
      { op: 'replace', path: ['parameters', 'model'], value: 'small' },
      { op: 'add', path: ['parameters', 'limits'], value: { tokens: 10 } },
    ]);
  });

  it('do not tell of neighbours when a message comes or goes', () => {
    const added = support.updateWithPatches((draft) =>
      draft.sections[1]!.messages.splice(1, 0, user('new').toJSON() as never),
    );
    expect(added.patches.map(({ op, path }) => [op, ...path].join('/'))).toEqual(['add/sections/1/messages/1']);
    expect(added.inversePatches).toEqual([{ op: 'remove', path: ['sections', 1, 'messages', 1] }]);
  });

  it.each<[string, Parameters<MessageStore['updateWithPatches']>[0]]>([
    ['a message comes', (draft) => draft.sections[1]!.messages.push(user('new').toJSON() as never)],
    ['a message goes', (draft) => draft.sections[1]!.messages.splice(0, 1)],
    ['sections change places', (draft) => draft.sections.unshift(draft.sections.pop()!)],
    ['a section goes', (draft) => draft.sections.shift()],
    [
      'the content of a result changes, and its result with it',
      (draft) => (draft.sections[1]!.messages[2]!.content = 'new'),
    ],
    ['the last call of a message goes', (draft) => draft.sections[1]!.messages[1]!.tool_calls!.splice(0)],
    ['a first metadata entry comes', (draft) => (draft.sections[1]!.messages[0]!._metadata = { n: 1 })],
    [
      'text becomes parts',
      (draft) => (draft.sections[1]!.messages[0]!.content = [{ type: 'image_url', image_url: { url: 'u' } }] as never),
    ],
    [
      'the order of arguments changes',
      (draft) => (draft.sections[1]!.messages[1]!.tool_calls![0]!.arguments = { b: 2, a: 1 } as never),
    ],
    ['arguments become text', (draft) => (draft.sections[1]!.messages[1]!.tool_calls![0]!.arguments = '{"a": 1}')],
    ['a key named constructor comes', (draft) => (draft.parameters['constructor'] = { prototype: 1 } as never)],
    ['a nested key changes', (draft) => ((draft.parameters['limits'] as { tokens: number }).tokens = 20)],
    ['a field is set to undefined', (draft) => (draft.parameters['model'] = undefined as never)],
  ])('can be replayed and undone when %s', (_, recipe) => {
    expect(canBeUndone(recipe)).not.toBe(support);
  });

  it('undo what emptied a list that a message then does not have', () => {
    const emptied = support.update((draft) => draft.sections[1]!.messages[1]!.tool_calls!.splice(0));
    const { store: full, inversePatches } = emptied.updateWithPatches((draft) => {
      draft.sections[1]!.messages[1]!.tool_calls = [{ id: 'c', name: 'g', arguments: {} }];
    });
    expect(full.section('chat').messages().at(1)?.toolCalls.size).toBe(1);
    expectEqual(full.applyPatches(inversePatches), emptied);
  });

  it('are none where the recipe wrote what was there', () => {
    const {
      store: same,
      patches,
      inversePatches,
    } = support.updateWithPatches((draft) => {
      draft.sections = structuredClone(support.toJSON().sections) as never;
      draft.parameters = { limits: { tokens: 10 }, model: 'small' };
    });
    expect([same, patches, inversePatches]).toEqual([support, [], []]);
    expect(same).toBe(support);
  });
});

describe('patches from elsewhere', () => {
  const apply =
    (...patches: readonly object[]) =>
    () =>
      support.applyPatches(patches as never);

  it('change what they name', () => {
    expect(
      apply({ op: 'replace', path: ['parameters', 'model'], value: 'large' })()
        .parameters()
        .get()
        .get('model'),
    ).toBe('large');
    expect(apply({ op: 'remove', path: ['parameters', 'gone'] })().equals(support)).toBe(true);
    expect(
      apply({ op: 'replace', path: [], value: { sections: [], parameters: {} } })().equals(MessageStore.empty()),
    ).toBe(true);
    expect(apply({ op: 'remove', path: ['sections', '0'] })().sections.names()).toEqual(['chat']);
    const moved = apply({ op: 'add', path: ['sections', 2], value: { name: 'more', messages: [] } })();
    expect(moved.section('chat').get()).toBe(chatSection);
  });

  it.each([
    [[{ op: 'remove', path: ['sections', 5] }], 'there is nothing at /sections/5'],
    [[{ op: 'add', path: ['sections', 3], value: {} }], 'there is nothing at /sections/3'],
    [[{ op: 'replace', path: ['sections', -1, 'name'], value: 'a' }], 'there is nothing at /sections/-1'],
    [[{ op: 'replace', path: ['sections', 'chat', 'name'], value: 'a' }], 'there is nothing at /sections/chat'],
    [[{ op: 'replace', path: ['parameters', 'model', 'deep'], value: 1 }], 'there is nothing at /parameters/model'],
    [[{ op: 'add', path: ['gone', 'deep'], value: 1 }], 'there is nothing at /gone'],
    [[{ op: 'move', path: ['sections', 0] }], 'expected a list of patches with op, path and value, got a list'],
    [[{ op: 'add' }], 'expected a list of patches with op, path and value, got a list'],
    ['undo', 'expected a list of patches with op, path and value, got "undo"'],
  ])('are refused where they do not fit: %#', (patches, message) => {
    try {
      support.applyPatches(patches as never);
      expect.unreachable();
    } catch (error) {
      expect(MessageStoreError.isInstance(error) && [error.code, error.message]).toEqual([
        'invalid_patch',
        `the patches do not fit this store: ${message}`,
      ]);
    }
  });

  it('are refused where what they leave is no store', () => {
    expect(apply({ op: 'replace', path: [], value: 'a' })).toThrow('expected the store as an object, got "a"');
    expect(apply({ op: 'remove', path: ['sections'] })).toThrow('sections: expected a list, got undefined');
    expect(apply({ op: 'replace', path: ['sections', 1, 'messages', 0, 'role'], value: 'robot' })).toThrow(
      'sections.chat.messages[0].role: expected one of',
    );
  });
});
