import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accumulator } from '../../src/formats/openai-chat/index.ts';
import { Message, removeMessage, Sessions, type SessionStorage } from '../../src/index.ts';
import { type PlaceUnderTest, storages } from './harnesses.ts';

const delta = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

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

  async function asked() {
    const sessions = new Sessions(storage);
    const id = await sessions.createSession();
    const question = await sessions.append(id, 'chat', 'Count to three.');
    return { sessions, id, question };
  }

  describe('a journal', () => {
    it('loads as an incomplete message until it is finished, then as the final one, in one commit', async () => {
      const { sessions, id, question } = await asked();
      const stream = accumulator();
      const journal = sessions.journal(id, 'chat', { everyMs: 0 });
      stream.push(delta('one, '));
      expect(await journal.write(stream)).toBe(true);
      stream.push(delta('two, '));
      await journal.write(stream);

      const afterCrash = (await new Sessions(sessions.storage).load(id)).toMessages().last();
      expect(afterCrash?.toString()).toBe('one, two, ');
      expect(afterCrash?.incomplete).toBeDefined();
      expect(await sessions.getLeafId(id)).toBe(question.id);

      stream.push(delta('three.', 'stop'));
      const versionBefore = (await sessions.getHead(id))?.version as number;
      const stored = await journal.finish(stream.finish().messages);
      const messages = (await sessions.load(id)).toMessages();
      expect(messages.map(String)).toEqual(['Count to three.', 'one, two, three.']);
      expect(messages.last()?.incomplete).toBeUndefined();
      expect(messages.last()?.id).toBe(afterCrash?.id);
      expect(stored.first()?.parentId).toBe(question.id);
      expect((await sessions.getHead(id))?.version).toBe(versionBefore + 1);
    });

    it('marks what it keeps as incomplete whatever it is given', async () => {
      const { sessions, id } = await asked();
      const call = Message.assistantToolCalls([{ id: 'c1', name: 'pay', args: {} }]);
      await sessions.journal(id, 'chat').write(call);
      const store = await sessions.load(id);
      expect(store.toMessages().last()?.incomplete).toEqual({ reason: 'streaming' });
    });

    it('writes no oftener than it is told', async () => {
      const { sessions, id } = await asked();
      const journal = sessions.journal(id, 'chat', { everyMs: 60_000 });
      const message = Message.of({ role: 'assistant', content: 'so far' });
      expect([await journal.write(message), await journal.write(message)]).toEqual([true, false]);
      expect((await sessions.getHead(id))?.version).toBe(2);
    });

    it('hangs the answer below its question, whatever was appended meanwhile', async () => {
      const { sessions, id, question } = await asked();
      const journal = sessions.journal(id, 'chat', { everyMs: 0 });
      const answer = Message.of({ role: 'assistant', content: 'One.' });
      await journal.write(answer);
      await sessions.append(id, 'chat', 'Are you there?');
      await journal.finish(answer);
      expect((await sessions.getPath(id)).map(String)).toEqual(['Count to three.', 'One.']);
      expect((await sessions.siblings(id, answer.id)).size).toBe(2);
      expect((await sessions.get(id, answer.id))?.parentId).toBe(question.id);
    });

    it('can be discarded', async () => {
      const { sessions, id } = await asked();
      const journal = sessions.journal(id, 'chat');
      await journal.write(Message.of({ role: 'assistant', content: 'no' }));
      await journal.discard();
      await journal.discard();
      expect((await sessions.load(id)).toMessages().map(String)).toEqual(['Count to three.']);
    });

    it('becomes a message of the session when the session is saved as it was loaded', async () => {
      const { sessions, id } = await asked();
      await sessions.journal(id, 'chat').write(Message.of({ role: 'assistant', content: 'half' }));
      await sessions.save(id, await sessions.load(id));
      const last = (await sessions.getPath(id)).last();
      expect([last?.toString(), last?.incomplete?.reason]).toEqual(['half', 'streaming']);
      expect((await sessions.storage.extras(id)).drafts).toEqual([]);
    });

    it('is kept by a save that does not know it', async () => {
      const { sessions, id } = await asked();
      const store = await sessions.load(id);
      await sessions.journal(id, 'chat').write(Message.of({ role: 'assistant', content: 'half' }));
      await expect(sessions.save(id, store)).rejects.toMatchObject({ code: 'CONFLICT' });
      const other = new Sessions(sessions.storage);
      await other.save(id, store);
      expect((await other.load(id)).toMessages().map(String)).toEqual(['Count to three.', 'half']);
    });
  });

  it('is gone when its message is there, however it came there', async () => {
    const { sessions, id } = await asked();
    const answer = Message.of({ role: 'assistant', content: 'One.' });
    await sessions.append(id, 'chat', answer);
    await sessions.journal(id, 'chat').write(answer);
    await sessions.append(id, 'chat', answer);
    expect((await storage.extras(id)).drafts).toEqual([]);
  });

  it('is gone when what it left behind is not in a store that is saved as it was loaded', async () => {
    const { sessions, id } = await asked();
    const half = Message.of({ role: 'assistant', content: 'half' });
    await sessions.journal(id, 'chat').write(half);
    await sessions.save(id, (await sessions.load(id)).pipe(removeMessage(half.id)));
    expect((await sessions.load(id)).toMessages().map(String)).toEqual(['Count to three.']);
  });

  it('is on the path that it hangs behind, and on no other', async () => {
    const { sessions, id, question } = await asked();
    await sessions.append(id, 'chat', { role: 'assistant', content: 'One.' });
    await sessions.journal(id, 'chat').write(Message.of({ role: 'assistant', content: 'half' }));
    await sessions.journal(id, 'chat', { parentId: null }).write(Message.asUser('root'));
    const last = async () => (await sessions.load(id, { limit: 5 })).toMessages().last()?.toString();
    expect(await last()).toBe('half');
    await sessions.navigateTo(id, question.id);
    expect(await last()).toBe('Count to three.');
  });

  it('is over when it is finished or discarded: a late write leaves nothing behind', async () => {
    const { sessions, id } = await asked();
    const [journal, other] = [1, 2].map(() => sessions.journal(id, 'chat', { everyMs: 0 }));
    const answer = Message.of({ role: 'assistant', content: 'One.' });
    await journal?.write(answer);
    const finished = journal?.finish(answer);
    expect(await journal?.write(answer)).toBe(false);
    await finished;
    await other?.discard();
    expect(await other?.write(Message.of({ role: 'assistant', content: 'late' }))).toBe(false);
    expect((await sessions.load(id)).toMessages().map(String)).toEqual(['Count to three.', 'One.']);
  });

  it('can be discarded again where that failed', async () => {
    const { sessions, id } = await asked();
    const journal = sessions.journal(id, 'chat');
    await journal.write(Message.of({ role: 'assistant', content: 'half' }));
    vi.spyOn(sessions.storage, 'commit').mockRejectedValueOnce(new Error('busy'));
    await expect(journal.discard()).rejects.toThrow('busy');
    await journal.discard();
    expect((await sessions.load(id)).toMessages().map(String)).toEqual(['Count to three.']);
  });

  it('is finished also where a save has made the partial message one of the session', async () => {
    const { sessions, id, question } = await asked();
    const journal = sessions.journal(id, 'chat', { everyMs: 0 });
    const half = Message.of({ role: 'assistant', content: 'half' });
    await journal.write(half);
    await sessions.save(id, (await sessions.load(id)).section('notes').appendMessages('Look here.'));
    await journal.finish(half.withContent('whole'));
    const { messages } = await sessions.readPath(id);
    expect(messages.last()?.toString()).toBe('whole');
    expect((await sessions.get(id, half.id))?.parentId).toBe(question.id);
    const stored = sessions.journal(id, 'chat').finish(half.withContent('other'));
    await expect(stored).rejects.toMatchObject({ code: 'ID_CONFLICT' });
  });
});
