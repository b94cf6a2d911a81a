import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type LoadOptions,
  mapMessages,
  Message,
  MessageStore,
  removeMessage,
  Section,
  Sessions,
  type SessionStorage,
  type StorageError,
  StoreMessagesResult,
  ToolCalls,
} from '../../src/index.ts';
import { type PlaceUnderTest, storages } from './harnesses.ts';

const texts = (messages: Iterable<Message>) => [...messages].map(String);

const asking = (...ids: readonly string[]) =>
  Message.of({ role: 'assistant', toolCalls: ToolCalls.from(ids.map((id) => ({ id, name: 'look', args: {} }))) });

const here = storages.filter(({ available }) => available === true);

describe.each(here)('over $name', { timeout: 60_000 }, ({ make }) => {
  let place: PlaceUnderTest;
  let storage: SessionStorage;

  beforeAll(async () => {
    place = await make();
    storage = await place.open();
  }, 60_000);

  afterAll(async () => {
    await storage[Symbol.asyncDispose]();
    await place.cleanup?.();
  }, 60_000);

  async function opened(...lines: readonly string[]) {
    const sessions = new Sessions(storage);
    const id = await sessions.createSession();
    const messages = await sessions.appendMany(id, 'chat', lines);
    return { sessions, id, messages: [...messages] };
  }

  /** user → assistant, the assistant's turn regenerated once, the first user's turn edited once. */
  async function branched() {
    const { sessions, id, messages } = await opened('question', 'first answer');
    const [question, first] = messages as [Message, Message];
    await sessions.navigateBefore(id, first.id);
    const second = await sessions.append(id, 'chat', { role: 'assistant', content: 'second answer' });
    const edited = await sessions.editMessage(id, question.id, question.withContent('other question'));
    return { sessions, id, question, first, second, edited };
  }

  describe('Sessions', () => {
    it('loads what was appended, in its sections, with parameters', async () => {
      const { sessions, id } = await opened('Hello!');
      await sessions.append(id, 'system', { role: 'system', content: 'Be brief.' });
      await sessions.setParameters(id, { model: 'm', temperature: 0 });
      await sessions.setParameters(id, { temperature: undefined });
      const store = await sessions.load(id);
      expect(store.sections.names()).toEqual(['chat', 'system']);
      expect(store.parameters().get().toJSON()).toEqual({ model: 'm' });
      expect((await sessions.getParameters(id)).toJSON()).toEqual({ model: 'm' });
    });

    it('finds a session by the id that it was given, also a UUID in upper case', async () => {
      const sessions = new Sessions(storage);
      const id = crypto.randomUUID().toUpperCase();
      expect(await sessions.createSession(id)).toBe(id);
      await sessions.append(id, 'chat', 'a');
      const fork = crypto.randomUUID().toUpperCase();
      await sessions.fork(id, undefined, { newId: fork });
      expect(texts(await sessions.getPath(fork))).toEqual(['a']);
      expect((await sessions.open(id)).id).toBe(id);
    });

    it('appends nothing as nothing', async () => {
      const { sessions, id } = await opened('one');
      expect((await sessions.appendMany(id, 'chat', [])).size).toBe(0);
      expect((await sessions.getHead(id))?.version).toBe(1);
    });

    it('appends behind the leaf as it is by then: nothing of many at once is lost', async () => {
      const { sessions, id } = await opened();
      await Promise.all(Array.from({ length: 50 }, (_, at) => sessions.append(id, 'chat', `${at}`)));
      const path = await sessions.getPath(id);
      expect(new Set(texts(path)).size).toBe(50);
      expect(path.map(({ parentId }) => parentId)).toEqual([undefined, ...[...path].slice(0, -1).map((m) => m.id)]);
    });

    it('makes a retry with one commit id one write', async () => {
      const { sessions, id } = await opened();
      const message = Message.asUser('once');
      const options = { commitId: 'retry', expectLeaf: null };
      const [first, again] = [
        await sessions.append(id, 'chat', message, options),
        await sessions.append(id, 'chat', message, options),
      ];
      expect(again.equals(first)).toBe(true);
      expect((await sessions.getHead(id))?.nodeCount).toBe(1);
    });

    it.each([
      ['append', (sessions: Sessions) => sessions.append('none', 'chat', 'x')],
      ['load', (sessions: Sessions) => sessions.load('none')],
      ['save', (sessions: Sessions) => sessions.save('none', MessageStore.empty())],
      ['open', (sessions: Sessions) => sessions.open('none')],
      ['fork', (sessions: Sessions) => sessions.fork('none')],
      ['getPath', (sessions: Sessions) => sessions.getPath('none')],
    ])('%s says which session is not there', async (_, act) => {
      await expect(act(new Sessions(storage))).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('"none"') as string,
      });
    });

    it('makes a retry of what became a branch one write, and says what else a retry must be', async () => {
      const { sessions, id, messages } = await opened('a');
      await sessions.append(id, 'chat', 'theirs');
      const mine = Message.asUser('mine');
      const options = { commitId: 'mine', expectLeaf: messages[0]?.id as string, onConflict: 'fork' } as const;
      for (let n = 0; n < 2; n++)
        expect((await sessions.append(id, 'chat', mine, options)).parentId).toBe(options.expectLeaf);
      expect((await sessions.getHead(id))?.nodeCount).toBe(3);
      await expect(sessions.append(id, 'chat', 'mine', options)).rejects.toThrow('with their ids and times');
    });

    it('refuses an id that stands for another message, and keeps the stored one', async () => {
      const { sessions, id, messages } = await opened('first');
      const other = (messages[0] as Message).withContent('second');
      await expect(sessions.append(id, 'chat', other)).rejects.toMatchObject({ code: 'ID_CONFLICT' });
      expect(texts(await sessions.getPath(id))).toEqual(['first']);
    });

    it('refuses a parent that is not in the session, and names it', async () => {
      const { sessions, id } = await opened('first');
      const lost = Message.asUser('x').withParentId('tmp_123_');
      await expect(sessions.append(id, 'chat', lost)).rejects.toThrow(/"tmp_123_" is not in the session/);
      expect((await sessions.getHead(id))?.nodeCount).toBe(1);
    });

    it('gives the newest of a section: 2 are 2, 0 are none, a negative number is refused', async () => {
      const { sessions, id } = await opened('1', '2', '3');
      expect(texts(await sessions.getSection(id, 'chat', 2))).toEqual(['2', '3']);
      expect((await sessions.getSection(id, 'chat', 0)).size).toBe(0);
      expect((await sessions.getSection(id, 'other')).size).toBe(0);
      await expect(sessions.getSection(id, 'chat', -1)).rejects.toThrow(/limit: expected a whole number, 0 or more/);
    });

    it('tells a damaged message from a lost one', async () => {
      const { sessions, id } = await opened('good');
      const node = { id: 'bad', section: 'chat', type: 'message', at: '', data: { role: 'nobody' } };
      await sessions.storage.commit(id, { id: 'c', ops: [{ op: 'node', node }] });
      await expect(sessions.load(id)).rejects.toMatchObject({ code: 'DAMAGED', path: 'bad' });
      const told: StorageError[] = [];
      const store = await sessions.load(id, { onDamaged: (error) => told.push(error) });
      expect([texts(store.toMessages()), told.map(({ path }) => path)]).toEqual([['good'], ['bad']]);
    });

    it('keeps nodes of other types out of messages', async () => {
      const { sessions, id } = await opened('good');
      const node = { id: 'note', section: 'chat', type: 'note', at: '', data: { exit: 0 } };
      await sessions.storage.commit(id, { id: 'c', ops: [{ op: 'node', node }], keepLeaf: true });
      expect(texts((await sessions.load(id)).toMessages())).toEqual(['good']);
      expect(texts(await sessions.getPath(id))).toEqual(['good']);
    });
  });

  describe('a saved store', () => {
    it('is what is loaded: sections, empty ones too, policies, parameters, unknown fields, a message in two places', async () => {
      const { sessions, id } = await opened('gone');
      const shared = Message.asUser('shared');
      const store = MessageStore.from({
        'x-app': { kept: true },
        parameters: { model: 'm', nothing: null },
        sections: [
          Section.of('empty'),
          Section.from({ name: 'a', policy: { cache: true }, 'x-note': 1, messages: [shared, Message.asUser('a')] }),
          Section.of('b', [Message.asUser('b'), shared, shared]),
        ],
      });
      const result = await store.toStorage(sessions, id);
      const loaded = await MessageStore.fromStorage(sessions, id);
      expect(withoutParents(loaded).equals(store)).toBe(true);
      expect(result).toBeInstanceOf(StoreMessagesResult);
      expect(result).toMatchObject({ success: true, sectionsStored: 3, messagesStored: 3, newMessages: 3 });
    });

    const section = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      texts: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
    });
    test.prop([fc.uniqueArray(section, { selector: ({ name }) => name }), fc.nat(8)], { numRuns: 25 })(
      'comes back whatever was done to it, with every message on the path',
      async (sections, cut) => {
        const { sessions, id } = await opened();
        const store = MessageStore.of({ sections: sections.map(({ name, texts: lines }) => Section.of(name, lines)) });
        await sessions.save(id, store);
        const loaded = await sessions.load(id);
        const changed = loaded
          .section('b')
          .appendMessages('end')
          .section('a')
          .appendMessages([`${cut}`]);
        await sessions.save(id, changed);
        const again = await sessions.load(id);
        expect(withoutParents(again).equals(withoutParents(changed))).toBe(true);
        const all = [...again.sections].flatMap(({ messages }) => [...messages]);
        expect(new Set(await idsOnPath(sessions, id))).toEqual(new Set(all.map((message) => message.id)));
      },
    );

    it('keeps the tree, the leaf and the labels of what it keeps', async () => {
      const { sessions, id, first, second } = await branched();
      await sessions.navigateTo(id, first.id);
      await sessions.addLabel(id, second.id, 'better');
      const before = await sessions.listBranches(id);
      await sessions.save(id, await sessions.load(id));
      expect(await sessions.listBranches(id)).toEqual(before);
      expect(await sessions.getLeafId(id)).toBe(first.id);
      expect(await sessions.getLabels(id)).toEqual({ [second.id]: 'better' });
    });

    it('takes new messages behind the leaf of a session with branches', async () => {
      const { sessions, id, edited } = await branched();
      const store = await sessions.load(id);
      await sessions.save(id, store.section('chat').appendMessages(['new', 'newer']));
      expect(texts(await sessions.getPath(id))).toEqual(['other question', 'new', 'newer']);
      expect((await sessions.getPath(id)).at(1)?.parentId).toBe(edited.id);
    });

    it('is refused where someone else has written since it was loaded, with what is there now', async () => {
      const { sessions, id } = await opened('m1');
      const other = new Sessions(sessions.storage);
      const [mine, theirs] = [await sessions.load(id), await other.load(id)];
      await other.save(id, theirs.section('chat').appendMessages('m2'));
      const stale = sessions.save(id, mine.section('chat').appendMessages('m3'));
      await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', actual: { version: 2 } });
      await sessions.save(id, (await sessions.load(id)).section('chat').appendMessages('m3'));
      expect(texts(await sessions.getPath(id))).toEqual(['m1', 'm2', 'm3']);
    });

    it('is refused so too where nothing of what was loaded is left in it', async () => {
      const { sessions, id, messages } = await opened('m1');
      const empty = await sessions.createSession();
      const [before, first] = [await sessions.load(id), await sessions.load(empty)];
      for (const one of [id, empty]) await sessions.append(one, 'chat', 'theirs');
      const [gone] = messages as [Message];
      const replaced = before.pipe(removeMessage(gone.id)).section('chat').appendMessages('mine');
      const conflict = { code: 'CONFLICT' };
      await expect(sessions.save(id, replaced)).rejects.toMatchObject(conflict);
      await expect(sessions.save(empty, first.section('chat').appendMessages('mine'))).rejects.toMatchObject(conflict);
      expect(texts(await sessions.getPath(empty))).toEqual(['theirs']);
    });

    it('is refused so too after it went to another session, or was loaded before this handle looked again', async () => {
      const { sessions, id } = await opened('m1');
      const session = await sessions.open(id);
      const store = await session.load();
      await sessions.save(await sessions.createSession(), store);
      await sessions.append(id, 'chat', 'theirs');
      await session.refresh();
      await expect(sessions.save(id, store)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(session.save(store)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(texts(await sessions.getPath(id))).toEqual(['m1', 'theirs']);
    });

    it('does not go to a session that was deleted and created again since', async () => {
      const { sessions, id } = await opened('m1');
      const store = await sessions.load(id);
      await sessions.delete(id);
      await sessions.createSession(id);
      await sessions.append(id, 'chat', 'new');
      await expect(sessions.save(id, store)).rejects.toMatchObject({ code: 'DELETED' });
    });

    it('is loaded whole or anew where its path goes while it is read', async () => {
      const { sessions, id, messages } = await opened('a', 'b');
      await sessions.append(id, 'chat', Message.asUser('c').withParentId(messages[0]?.id));
      const leaf = (await sessions.getLeafId(id)) as string;
      const path = storage.path.bind(storage);
      const spy = vi.spyOn(storage, 'path').mockImplementationOnce(async (...given) => {
        await sessions.storage.commit(id, { id: 'gone', ops: [{ op: 'drop', ids: [leaf] }] });
        return path(...given);
      });
      expect(texts((await sessions.load(id, { pathOnly: true })).toMessages())).toEqual(['a']);
      spy.mockRestore();
    });

    it('can be saved again and again', async () => {
      const { sessions, id } = await opened('m1');
      let store = await sessions.load(id);
      for (const line of ['m2', 'm3', 'm4']) {
        store = store.section('chat').appendMessages(line);
        await sessions.save(id, store);
      }
      expect(texts(await sessions.getPath(id))).toEqual(['m1', 'm2', 'm3', 'm4']);
    });

    it('goes to another session as it is', async () => {
      const { sessions, id } = await branched();
      const copy = await sessions.createSession();
      await sessions.save(copy, await sessions.load(id));
      expect(texts((await sessions.load(copy)).toMessages()).toSorted()).toEqual(
        texts((await sessions.load(id)).toMessages()).toSorted(),
      );
    });

    it('takes two values of one message for one, whenever each was made', async () => {
      const { sessions, id } = await opened();
      const [one, again] = ['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.001Z'].map((createdAt) =>
        Message.of({ id: 'one', content: 'one', createdAt }),
      ) as [Message, Message];
      await sessions.save(id, MessageStore.of({ sections: [Section.of('a', one), Section.of('b', again)] }));
      expect([...(await sessions.load(id)).sections].map(({ name, size }) => [name, size])).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
      expect((await sessions.get(id, 'one'))?.timestamp).toBe(one.timestamp);
    });

    it('of a part of the session is refused, unless what was not read is to go', async () => {
      const { sessions, id } = await opened('1', '2', '3');
      const part = (await sessions.load(id, { limit: 1 })).section('chat').appendMessages('4');
      await expect(sessions.save(id, part)).rejects.toMatchObject({ code: 'INVALID_DATA' });
      await expect((await sessions.open(id)).save(part)).rejects.toThrow('discardUnread');
      expect(texts(await sessions.getPath(id))).toEqual(['1', '2', '3']);
      const all = (await sessions.load(id, { limit: 3 })).section('chat').appendMessages('4');
      await sessions.save(id, all);
      await sessions.save(id, await sessions.load(id, { limit: 1 }), { discardUnread: true });
      expect(texts(await sessions.getPath(id))).toEqual(['4']);
    });

    it('refuses one id for two messages', async () => {
      const { sessions, id } = await opened();
      const one = Message.asUser('one');
      const store = MessageStore.of({ sections: [Section.of('a', one), Section.of('b', one.withContent('two'))] });
      await expect(sessions.save(id, store)).rejects.toMatchObject({ code: 'ID_CONFLICT' });
    });

    it('shows a message in each section that it stands in: on the path alone, of its end, and in a fork', async () => {
      const { sessions, id } = await opened();
      const [one, two, three] = ['one', 'two', 'three'].map((text) => Message.asUser(text)) as [
        Message,
        Message,
        Message,
      ];
      const saved = [Section.of('chat', [one, two, three]), Section.of('pinned', [three, one]), Section.of('empty')];
      await sessions.save(id, MessageStore.of({ sections: saved }));
      const shown = async (of: string, options?: LoadOptions) =>
        Array.from((await sessions.load(of, options)).sections, (section) => [section.name, ...texts(section)]);
      const all = [['chat', 'one', 'two', 'three'], ['pinned', 'three', 'one'], ['empty']];
      expect(await shown(id)).toEqual(all);
      expect(await shown(id, { pathOnly: true })).toEqual(all);
      expect(await shown(id, { limit: 2 })).toEqual([['chat', 'two', 'three'], ['pinned', 'three'], ['empty']]);
      await expect(sessions.save(id, await sessions.load(id, { limit: 2 }))).rejects.toMatchObject({
        code: 'INVALID_DATA',
      });
      expect((await shown(await sessions.fork(id))).slice(0, 2)).toEqual(all.slice(0, 2));
      expect((await shown(await sessions.fork(id, two.id))).slice(0, 2)).toEqual([
        ['chat', 'one', 'two'],
        ['pinned', 'one'],
      ]);
    });

    it('of the path alone shows nothing of other branches', async () => {
      const { sessions, id, edited } = await branched();
      const session = await sessions.open(id);
      expect(texts((await session.toStore()).toMessages())).toEqual(['other question']);
      await session.navigateTo(edited.id);
      expect(texts((await sessions.load(id, { pathOnly: true, limit: 1 })).toMessages())).toEqual(['other question']);
    });
  });

  describe('branches', () => {
    it('keep what was regenerated and edited', async () => {
      const { sessions, id, question, first, second, edited } = await branched();
      expect(texts(await sessions.siblings(id, second.id))).toEqual(['first answer', 'second answer']);
      expect(texts(await sessions.siblings(id, question.id))).toEqual(['question', 'other question']);
      expect(texts(await sessions.getPath(id))).toEqual(['other question']);
      expect(texts(await sessions.getPath(id, first.id))).toEqual(['question', 'first answer']);
      expect((await sessions.listBranches(id)).map(({ leaf, length, isActive }) => [leaf, length, isActive])).toEqual([
        [first.id, 2, false],
        [second.id, 2, false],
        [edited.id, 1, true],
      ]);
    });

    it('are told apart from where they part', async () => {
      const { sessions, id, question, first, second, edited } = await branched();
      const diff = await sessions.diff(id, first.id, second.id);
      expect([diff.ancestor, texts(diff.left), texts(diff.right)]).toEqual([
        question.id,
        ['first answer'],
        ['second answer'],
      ]);
      expect((await sessions.diff(id, first.id, edited.id)).ancestor).toBeUndefined();
      expect(texts((await sessions.diff(id, question.id, first.id)).right)).toEqual(['first answer']);
    });

    it('part far back as well as near', async () => {
      const { sessions, id, messages } = await opened(...Array.from({ length: 700 }, (_, at) => `${at}`));
      await sessions.navigateTo(id, (messages[9] as Message).id);
      const other = await sessions.append(id, 'chat', 'other');
      const diff = await sessions.diff(id, (messages.at(-1) as Message).id, other.id);
      expect([diff.ancestor, diff.left.size, texts(diff.right)]).toEqual([messages[9]?.id, 690, ['other']]);
    });

    it('are deleted without what another one needs, and the leaf moves up', async () => {
      const { sessions, id, question, first, second } = await branched();
      await sessions.navigateTo(id, second.id);
      await sessions.deleteBranch(id, second.id);
      expect(await sessions.getLeafId(id)).toBe(question.id);
      expect(await sessions.get(id, second.id)).toBeUndefined();
      expect(texts(await sessions.getPath(id, first.id))).toEqual(['question', 'first answer']);
      await expect(sessions.deleteBranch(id, question.id)).rejects.toThrow(/expected the last message of a branch/);
    });

    it('are deleted once, however often and long', async () => {
      const { sessions, id, messages } = await opened('a', 'b');
      const [first, second] = messages as [Message, Message];
      await sessions.append(id, 'chat', Message.asUser('c').withParentId(first.id));
      await sessions.navigateTo(id, second.id);
      await sessions.journal(id, 'chat').write(Message.of({ role: 'assistant', content: 'half' }));
      for (let n = 0; n < 2; n++) await sessions.deleteBranch(id, second.id, { commitId: 'once', expectVersion: 4 });
      expect(texts((await sessions.load(id)).toMessages())).toEqual(['a', 'c']);
      await expect(sessions.deleteBranch(id, second.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const long = await sessions.appendMany(
        id,
        'chat',
        Array.from({ length: 5001 }, (_, at) => `${at}`),
      );
      await sessions.navigateTo(id, first.id);
      await sessions.append(id, 'chat', 'other');
      const expectVersion = (await sessions.getHead(id))?.version as number;
      await sessions.deleteBranch(id, long.last()?.id as string, { commitId: 'long', expectVersion });
      expect((await sessions.getHead(id))?.nodeCount).toBe(3);
    });

    it('of any length are deleted', async () => {
      const { sessions, id, messages } = await opened(...Array.from({ length: 6000 }, (_, at) => `${at}`));
      await sessions.deleteBranch(id, (messages.at(-1) as Message).id);
      expect(await sessions.getHead(id)).toMatchObject({ nodeCount: 0, leaf: null, bytes: 0 });
    });

    it('are forked one by one or all, with labels and parameters; neither sees the other afterwards', async () => {
      const { sessions, id, question, first, second } = await branched();
      await sessions.setParameters(id, { model: 'm' });
      await sessions.addLabel(id, first.id, 'kept');
      await sessions.addLabel(id, second.id, 'elsewhere');
      const one = await sessions.fork(id, first.id);
      const all = await sessions.fork(id, undefined, { whole: true });
      expect(texts((await sessions.load(one)).toMessages())).toEqual(['question', 'first answer']);
      expect(await sessions.getLabels(one)).toEqual({ [first.id]: 'kept' });
      expect((await sessions.getParameters(one)).toJSON()).toEqual({ model: 'm' });
      expect(await sessions.getHead(one)).toMatchObject({
        leaf: first.id,
        forkedFrom: { session: id, node: first.id },
        meta: {},
      });
      expect((await sessions.load(all)).equals(await sessions.load(id))).toBe(true);
      await sessions.append(one, 'chat', 'only here');
      expect((await sessions.getHead(id))?.nodeCount).toBe(4);
      expect((await sessions.getPath(one)).at(0)?.id).toBe(question.id);
    });

    it('that are refused leave no session behind', async () => {
      const { sessions, id } = await opened('a');
      await expect(sessions.fork(id, 'unknown', { newId: 'refused' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await sessions.listSessions({ prefix: 'refused' })).items).toEqual([]);
    });

    it('have labels, one a message, and are found by them', async () => {
      const { sessions, id, messages } = await opened('a', 'b');
      const [a, b] = messages as [Message, Message];
      await sessions.addLabel(id, a.id, 'one');
      await sessions.addLabel(id, a.id, 'both');
      await sessions.addLabel(id, b.id, 'both');
      expect(texts(await sessions.findByLabel(id, 'both'))).toEqual(['a', 'b']);
      expect(await sessions.removeLabel(id, b.id)).toBe(true);
      expect(await sessions.removeLabel(id, b.id)).toBe(false);
      expect(await sessions.getLabels(id)).toEqual({ [a.id]: 'both' });
      await expect(sessions.addLabel(id, 'unknown', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('a path', () => {
    it('keeps exchanges whole where it is asked to, and says when its turn is open', async () => {
      const { sessions, id } = await opened('question');
      await sessions.append(id, 'chat', asking('c1', 'c2'));
      await sessions.append(id, 'chat', Message.toolResult('c1', 'one'));
      expect(await sessions.readPath(id)).toMatchObject({ truncated: false, isOpen: true });
      await sessions.append(id, 'chat', Message.toolResult('c2', 'two'));
      const { messages, truncated, isOpen } = await sessions.readPath(id, { limit: 2 });
      expect([texts(messages), truncated, isOpen]).toEqual([['one', 'two'], true, false]);
      await sessions.append(id, 'chat', { role: 'assistant', content: 'done' });
      const whole = await sessions.readPath(id, { limit: 3, whole: true });
      expect([texts(whole.messages), whole.truncated]).toEqual([['done'], true]);
      expect(texts(await sessions.getSection(id, 'chat', 3, { whole: true }))).toEqual(['done']);
      expect(texts(await sessions.getPath(id, undefined, { limit: 4, whole: true }))).toEqual([
        '',
        'one',
        'two',
        'done',
      ]);
    });

    it('ends anywhere, or before the first message', async () => {
      const { sessions, id, messages } = await opened('a', 'b');
      expect(texts(await sessions.getPath(id, (messages[0] as Message).id))).toEqual(['a']);
      expect((await sessions.getPath(id, null)).size).toBe(0);
      await expect(sessions.getPath(id, 'unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });

    it('of any length is read whole', async () => {
      const { sessions, id } = await opened(...Array.from({ length: 10_001 }, (_, at) => `${at}`));
      const path = await sessions.getPath(id);
      expect([path.size, path.at(0)?.toString()]).toEqual([10_001, '0']);
    });
  });

  describe('Session', () => {
    it('refuses to write where someone else has written, until it has looked', async () => {
      const { sessions, id } = await opened('a');
      const session = await sessions.open(id);
      await sessions.append(id, 'chat', 'theirs');
      await expect(session.append('chat', 'mine')).rejects.toMatchObject({ code: 'CONFLICT', actual: { version: 2 } });
      expect(await session.refresh()).toBe(2);
      await session.append('chat', 'mine');
      expect(texts(await session.getPath())).toEqual(['a', 'theirs', 'mine']);
    });

    it('goes behind what others wrote, or beside it, where it is told to', async () => {
      const { sessions, id } = await opened('a');
      const [rebased, forked] = [await sessions.open(id), await sessions.open(id)];
      await sessions.append(id, 'chat', 'theirs');
      await rebased.append('chat', 'behind', { onConflict: 'rebase' });
      await forked.append('chat', 'beside', { onConflict: 'fork' });
      await forked.append('chat', 'beside too', { onConflict: 'fork' });
      expect(texts(await sessions.getPath(id))).toEqual(['a', 'theirs', 'behind']);
      expect(texts(await forked.getPath())).toEqual(['a', 'beside', 'beside too']);
    });

    it('does not take for read what others wrote before a label of its own', async () => {
      const { sessions, id, messages } = await opened('a');
      const [session, forked] = [await sessions.open(id), await sessions.open(id)];
      const [first] = messages as [Message];
      await sessions.append(id, 'chat', 'theirs');
      await session.addLabel(first.id, 'x');
      await expect(session.append('chat', 'mine')).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(session.save(MessageStore.fromMessages('mine'))).rejects.toMatchObject({ code: 'CONFLICT' });
      await forked.append('chat', 'beside', { onConflict: 'fork' });
      await forked.setParameters({ model: 'm' });
      await forked.append('chat', 'beside too', { onConflict: 'fork' });
      expect(texts(await forked.getPath())).toEqual(['a', 'beside', 'beside too']);
      await session.refresh();
      await session.append('chat', 'mine');
      expect(texts(await session.getPath())).toEqual(['a', 'theirs', 'mine']);
    });

    it('stays where it is when it makes an earlier write again', async () => {
      const { sessions, id } = await opened();
      const session = await sessions.open(id);
      const first = Message.asUser('a');
      await session.append('chat', first, { commitId: 'one' });
      await session.append('chat', 'b');
      await session.append('chat', first, { commitId: 'one' });
      await session.append('chat', 'c');
      expect(texts(await session.getPath())).toEqual(['a', 'b', 'c']);
    });

    it('saves what it loaded, also where others wrote before that', async () => {
      const { sessions, id } = await opened('a');
      const session = await sessions.open(id);
      await sessions.append(id, 'chat', 'theirs');
      await session.save((await session.toStore()).section('chat').appendMessages('mine'));
      await session.append('chat', 'mine too');
      expect(texts(await session.getPath())).toEqual(['a', 'theirs', 'mine', 'mine too']);
    });

    it('goes on behind what its journal finished', async () => {
      const { sessions, id } = await opened('a');
      const session = await sessions.open(id);
      const journal = session.journal('chat', { everyMs: 0 });
      const answer = Message.of({ role: 'assistant', content: 'b' });
      await journal.write(answer);
      await journal.finish(answer);
      await session.append('chat', 'c');
      expect(texts(await session.getPath())).toEqual(['a', 'b', 'c']);
      const late = session.journal('chat');
      await sessions.delete(id);
      await sessions.createSession(id);
      await expect(late.write(answer)).rejects.toMatchObject({ code: 'DELETED' });
    });

    it('writes one after another what is asked for at once', async () => {
      const { sessions, id } = await opened();
      const session = await sessions.open(id);
      await Promise.all(['a', 'b', 'c'].map((text) => session.append('chat', text)));
      expect(texts(await session.getPath())).toEqual(['a', 'b', 'c']);
      expect(session.version).toBe(3);
    });

    it('of a session that was deleted and created again is dead', async () => {
      const { sessions, id } = await opened();
      const session = await sessions.open(id);
      await sessions.delete(id);
      await sessions.createSession(id);
      await expect(session.append('chat', 'x')).rejects.toMatchObject({ code: 'DELETED' });
      expect((await sessions.getHead(id))?.nodeCount).toBe(0);
    });

    it('has the operations of its sessions', async () => {
      const { sessions, id, first, second, edited } = await branched();
      const session = await sessions.open(id);
      await session.addLabel(first.id, 'x');
      expect(await session.getLabels()).toEqual({ [first.id]: 'x' });
      expect(await session.removeLabel(first.id)).toBe(true);
      expect(texts(await session.siblings(second.id))).toEqual(['first answer', 'second answer']);
      expect((await session.diff(first.id, second.id)).left.size).toBe(1);
      await session.deleteBranch(edited.id);
      expect(session.getLeafId()).toBeUndefined();
      await session.navigateBefore(second.id);
      await session.editMessage(first.id, 'third answer');
      await session.setParameters({ model: 'm' });
      expect((await session.getParameters()).toJSON()).toEqual({ model: 'm' });
      const fork = await session.fork();
      expect(texts(await fork.getPath())).toEqual(['question', 'third answer']);
      expect(await session.listBranches()).toHaveLength(3);
      const store = await session.toStore();
      await session.save(store.section('chat').appendMessages('end'));
      expect(texts(await session.getPath())).toEqual(['question', 'third answer', 'end']);
      expect(texts(await session.getSection('chat', 1))).toEqual(['end']);
      expect((await session.get(first.id))?.toString()).toBeUndefined();
      expect((await session.readPath({ limit: 1 })).truncated).toBe(true);
    });
  });
});

function withoutParents(store: MessageStore): MessageStore {
  return store.pipe(mapMessages((message) => message.withParentId(undefined)));
}

async function idsOnPath(sessions: Sessions, id: string): Promise<string[]> {
  return (await sessions.getPath(id)).map((message) => message.id);
}
