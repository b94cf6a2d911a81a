import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Message, type Op, Sessions, type SessionStorage, ToolResult } from '../../src/index.ts';
import { type PlaceUnderTest, storages } from './harnesses.ts';

const here = storages.filter(({ available }) => available === true);
const idsOf = (messages: Iterable<Message>) => [...messages].map(({ id }) => id);

/** What other libraries got wrong, each under its number, on every storage. */
describe.each(here)('over $name', { timeout: 60_000 }, ({ make }) => {
  let place: PlaceUnderTest;
  const open: SessionStorage[] = [];

  beforeAll(async () => {
    place = await make();
  }, 60_000);

  afterAll(async () => {
    for (const storage of open) await storage[Symbol.asyncDispose]();
    await place.cleanup?.();
  }, 60_000);

  /** Sessions over another instance, which has read nothing yet. */
  async function reopened(): Promise<Sessions> {
    const storage = await place.open();
    open.push(storage);
    return new Sessions(storage);
  }

  async function tree(nodes: readonly (readonly [id: string, parent: string | null])[], leaf: string) {
    const sessions = await reopened();
    const id = await sessions.createSession();
    const ops = nodes.map(([node, parentId]): Op => {
      const data = { id: node, createdAt: '2025-01-02T03:04:05.678Z', role: 'user', content: node };
      return { op: 'node', node: { id: node, parentId, section: 'chat', type: 'message', at: data.createdAt, data } };
    });
    await sessions.storage.commit(id, { id: 'tree', ops: [...ops, { op: 'leaf', to: leaf }] });
    return { sessions: await reopened(), id };
  }

  it('B66: two writers that load, change and save lose nothing of each other silently', async () => {
    const [first, second] = [await reopened(), await reopened()];
    const id = await first.createSession();
    await first.append(id, 'chat', 'm1');
    const [mine, theirs] = [await first.load(id), await second.load(id)];
    await first.save(id, mine.section('chat').appendMessages('m2'));
    await expect(second.save(id, theirs.section('chat').appendMessages('m3'))).rejects.toMatchObject({
      code: 'CONFLICT',
      actual: { version: 2 },
    });
    await second.save(id, (await second.load(id)).section('chat').appendMessages('m3'));
    expect((await first.load(id)).toMessages().map(String)).toEqual(['m1', 'm2', 'm3']);
  });

  it('B67: messages of one moment, and of a clock that goes back, keep their order', async () => {
    const sessions = await reopened();
    const id = await sessions.createSession();
    const times = ['.000', '.000', '.000'].map((ms) => `2025-01-02T03:04:05${ms}Z`);
    const all = ['z', 'a', 'm', 'b'];
    for (const [at, own] of all.entries())
      await sessions.append(
        id,
        'chat',
        Message.of({ id: own, content: own, createdAt: times[at] ?? '2025-01-02T03:04:04.000Z' }),
      );
    const again = await reopened();
    expect(idsOf(await again.getPath(id))).toEqual(all);
    expect(idsOf((await again.load(id)).toMessages())).toEqual(all);
    expect(idsOf(await again.getSection(id, 'chat', 2))).toEqual(['m', 'b']);
    expect((await again.getPath(id)).map(({ timestamp }) => timestamp.slice(17))).toEqual([
      '05.000Z',
      '05.000Z',
      '05.000Z',
      '04.000Z',
    ]);
  });

  it('B69: values come back as they were, and what cannot is refused when it is appended', async () => {
    const sessions = await reopened();
    const id = await sessions.createSession();
    const answer = Message.from({
      role: 'tool',
      createdAt: '2025-01-02T03:04:05.678Z',
      tool_result: { content: 'x', call_id: 'c1' },
      gemini: { thoughtSignature: 'S' },
      x_unknown: [1, { y: null }],
    });
    await sessions.append(id, 'chat', answer);
    const stored = (await (await reopened()).get(id, answer.id)) as Message;
    expect(stored.createdAt).toEqual(new Date('2025-01-02T03:04:05.678Z'));
    expect(stored.equals(answer)).toBe(true);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const value of [9_007_199_254_740_993n, Number.NaN, cyclic])
      expect(() => Message.asUser('x').withMetadata('value', { deep: [value] })).toThrow(/value\.deep\[0\]/);
    expect(() => ToolResult.of({ content: cyclic, callId: 'c1' })).toThrow('cycles');
    expect((await sessions.getHead(id))?.nodeCount).toBe(1);
  });

  it('B72: answers that were made again, and edited questions, stay where they hang', async () => {
    const { sessions, id } = await tree(
      [
        ['u1', null],
        ['a1', 'u1'],
        ['a2', 'u1'],
        ['a3', 'u1'],
        ['u1b', null],
        ['b1', 'u1b'],
      ],
      'a2',
    );
    expect(idsOf(await sessions.siblings(id, 'a3'))).toEqual(['a1', 'a2', 'a3']);
    expect(idsOf(await sessions.siblings(id, 'u1'))).toEqual(['u1', 'u1b']);
    expect(idsOf(await sessions.getPath(id))).toEqual(['u1', 'a2']);
    const next = await sessions.append(id, 'chat', Message.of({ id: 'u2', content: 'u2' }));
    expect(next.parentId).toBe('a2');
    expect(idsOf(await (await reopened()).getPath(id))).toEqual(['u1', 'a2', 'u2']);
  });

  it('B73: a parent that is not there is named, and nothing is written', async () => {
    const { sessions, id } = await tree([['u1', null]], 'u1');
    const lost = Message.of({ id: 'u2', parentId: 'tmp_123_' });
    await expect(sessions.append(id, 'chat', lost)).rejects.toMatchObject({
      code: 'PARENT_NOT_FOUND',
      value: 'tmp_123_',
    });
    expect(await sessions.getHead(id)).toMatchObject({ nodeCount: 1, leaf: 'u1', version: 1 });
  });

  it('B75: what comes later moves the leaf only where it is told to', async () => {
    const { sessions, id } = await tree(
      [
        ['u1', null],
        ['a1', 'u1'],
        ['u2', 'a1'],
        ['a2', 'u2'],
      ],
      'a2',
    );
    const note = (own: string, parentId: string): Op => ({
      op: 'node',
      node: { id: own, parentId, section: 'notes', type: 'note', at: '', data: null },
    });
    await sessions.storage.commit(id, { id: 'n', ops: [note('exit', 'a1'), note('progress', 'u2')], keepLeaf: true });
    const again = await reopened();
    expect(idsOf(await again.getPath(id))).toEqual(['u1', 'a1', 'u2', 'a2']);
    expect(await again.getLeafId(id)).toBe('a2');
  });

  it('B76: a branch is deleted without what another one needs; a long session is deleted wholly', async () => {
    const { sessions, id } = await tree(
      [
        ['r', null],
        ['s1', 'r'],
        ['x1', 's1'],
        ['x2', 'x1'],
        ['y1', 's1'],
      ],
      'x2',
    );
    await sessions.deleteBranch(id, 'x2');
    expect(idsOf(await sessions.getPath(id, 'y1'))).toEqual(['r', 's1', 'y1']);
    expect(await sessions.getHead(id)).toMatchObject({ nodeCount: 3, leaf: 's1' });
    const long = await sessions.createSession();
    await sessions.appendMany(
      long,
      'chat',
      Array.from({ length: 5000 }, (_, at) => `${at}`),
    );
    expect(await sessions.delete(long)).toBe(true);
    expect(await (await reopened()).hasSession(long)).toBe(false);
  });

  it('B78: ids of any kind are kept as they are', async () => {
    const ids = ['msg_01ABC', 'V1StGXR8_Z5jdHi6', 'thread_x|y', 'ünï🙂'];
    const { sessions, id } = await tree(
      ids.map((own, at) => [own, ids[at - 1] ?? null]),
      'ünï🙂',
    );
    expect(idsOf(await sessions.getPath(id))).toEqual(ids);
    await sessions.addLabel(id, 'msg_01ABC', 'first');
    expect(idsOf(await (await reopened()).findByLabel(id, 'first'))).toEqual(['msg_01ABC']);
  });
});
