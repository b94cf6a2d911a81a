import { describe, expect, it } from 'vitest';
import { memoryStorage, type Op, StorageError } from '../../src/index.ts';

const node = (id: string, parentId?: string | null): Op => ({
  op: 'node',
  node: {
    id,
    section: 'chat',
    type: 'message',
    at: '2025-01-01T00:00:00.000Z',
    data: { text: id },
    ...(parentId !== undefined && { parentId }),
  },
});

async function opened(...ops: readonly Op[]) {
  const storage = memoryStorage();
  await storage.create('s');
  await storage.commit('s', { id: 'first', ops });
  return storage;
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

describe('memoryStorage', () => {
  it('chains nodes without a parent, the first below the leaf', async () => {
    const storage = await opened(node('a'), node('b'));
    const { nodes } = await storage.commit('s', { id: 'second', ops: [node('c'), node('d', 'a'), node('e')] });
    expect(nodes.map(({ id, parentId, depth }) => [id, parentId, depth])).toEqual([
      ['c', 'b', 2],
      ['d', 'a', 1],
      ['e', 'd', 2],
    ]);
    expect(idsOf((await storage.path('s')).items)).toEqual(['a', 'd', 'e']);
  });

  it('finds a commit that was made before it looks at what is expected', async () => {
    const storage = await opened(node('a'));
    const again = await storage.commit('s', { id: 'first', ops: [node('a')], expect: { version: 0 } });
    expect(again).toMatchObject({ status: 'duplicate', version: 1, leaf: 'a' });
  });

  it('says what the state is where another was expected', async () => {
    const storage = await opened(node('a'));
    const stale = storage.commit('s', { id: 'second', ops: [node('b')], expect: { leaf: null } });
    await expect(stale).rejects.toThrow(StorageError);
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', actual: { version: 1, leaf: 'a' } });
  });

  it('drops no node that another hangs below, and moves the leaf up', async () => {
    const storage = await opened(node('r'), node('x1'), node('x2'), node('y', 'r'), { op: 'leaf', to: 'x2' });
    await storage.commit('s', { id: 'second', ops: [{ op: 'drop', ids: ['r', 'x1', 'x2'] }] });
    expect(await storage.head('s')).toMatchObject({ leaf: 'r', nodeCount: 2 });
    expect(idsOf((await storage.scan('s')).items)).toEqual(['r', 'y']);
  });

  it('shows a node in every section where it stands, in the order of the places', async () => {
    const places: Op[] = [
      { op: 'place', id: 'b', section: 'notes' },
      { op: 'place', id: 'a', section: 'notes' },
    ];
    const storage = await opened(node('a'), node('b'), ...places);
    expect(idsOf((await storage.scan('s', { section: 'notes' })).items)).toEqual(['b', 'a']);
    expect(idsOf((await storage.path('s', { section: 'notes', limit: 1 })).items)).toEqual(['b']);
  });

  it('keeps what was given, whatever the caller does with it later', async () => {
    const data = { text: 'before' };
    const storage = await opened({ op: 'node', node: { id: 'a', section: 'chat', type: 'message', at: '', data } });
    data.text = 'after';
    expect((await storage.nodes('s', ['a']))[0]?.data).toEqual({ text: 'before' });
  });
});
