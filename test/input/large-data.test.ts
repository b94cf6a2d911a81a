import { Buffer } from 'node:buffer';
import { ContentPart, ImageSource, Message, Messages, MessageStore, MessageStoreError, Metadata } from 'message-store';
import { assistant, call, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

function errorOf(run: () => unknown): MessageStoreError {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) return error;
    throw error;
  }
  return expect.fail('it was accepted');
}

describe('large data', () => {
  const BYTES = Uint8Array.from({ length: 50 * 1024 * 1024 }, (_, index) => (index * 31) % 256);
  const URI = `data:image/png;base64,${Buffer.from(BYTES).toString('base64')}`;
  /** Whether a store holds just this image, and still does after its way through text. */
  const holdsImage = (made: MessageStore): boolean =>
    [made, MessageStore.parse(JSON.stringify(made))].every(
      (each) => (each.toMessages().at(0)?.contentParts().at(0)?.get('image_url') as { url: string }).url === URI,
    );

  it.each<[string, () => unknown]>([
    ['a data URI', () => ({ role: 'user', content: [{ type: 'image_url', image_url: { url: URI } }] })],
    ['a flat data URI', () => ({ role: 'user', content: [{ type: 'image_url', url: URI }] })],
    [
      'bytes',
      () => ({ role: 'user', content: [{ type: 'image_url', image_url: { url: BYTES, mime_type: 'image/png' } }] }),
    ],
    [
      'bytes alone',
      () => ({ role: 'user', content: [{ type: 'image_url', image_url: BYTES, mime_type: 'image/png' }] }),
    ],
    ['an image source of bytes', () => ImageSource.fromBytes(BYTES, 'image/png').toMessage()],
    ['an image source of a data URI', () => ImageSource.fromUrl(URI).toMessage()],
  ])('is kept as it is: 50 MB as %s', (_, message) => {
    expect(holdsImage(MessageStore.fromMessages([message() as never]))).toBe(true);
  });

  it('is refused where it does not belong, without printing it', () => {
    const error = errorOf(() => Message.of({ role: URI as never }));
    expect([error.path, error.message.length < 300, error.value === URI]).toEqual(['role', true, true]);
    expect(errorOf(() => Message.of({ id: URI })).message.length).toBeLessThan(300);
    expect(errorOf(() => ContentPart.from({ type: 'video', data: BYTES })).path).toBe('data');
    expect(errorOf(() => Message.from({ role: 'user', content: BYTES as never })).path).toBe('content');
  });

  it('is many messages of one role that are folded into one', () => {
    const many = Messages.from(Array.from({ length: 200_000 }, (_, index) => `${index}`));
    expect(many.toMergedPerRole().at(0)?.contentParts().size).toBe(200_000);
    const calls = Messages.of(...Array.from({ length: 1000 }, (_, index) => assistant('', call('f', {}, `c${index}`))));
    expect(calls.toMergedPerRole().at(0)?.toolCalls.size).toBe(1000);
  });

  it('is many messages in a store that a recipe changes', () => {
    const made = MessageStore.fromMessages(Messages.from(Array.from({ length: 200_000 }, () => 'a')), 'main');
    const next = made.update((draft) => {
      draft.sections[0]?.messages.pop();
    });
    expect([next.toMessages().size, made.toMessages().size]).toEqual([199_999, 200_000]);
  });

  it('is many messages that came one by one, from both ends', () => {
    let messages = Messages.empty();
    for (let index = 0; index < 150_000; index++)
      messages = messages.prependMessages(user('a')).appendMessages(user('b'));
    expect([messages.size, messages.toJSON().length, messages.reversed().at(0)?.toString()]).toEqual([
      300_000,
      300_000,
      'b',
    ]);
  });

  it('is many calls, with as many marks of their places in another order', () => {
    const size = 50_000;
    const message = Message.of({
      role: 'assistant',
      content: Array.from({ length: size }, (_, index) => ({ type: 'tool_call', id: `c${size - 1 - index}` })),
      toolCalls: Array.from({ length: size }, (_, index) => ({ id: `c${index}`, name: 'f' })),
    });
    const ids = [...message.blocks()].map((block) => (block.type === 'tool_call' ? block.call.id : ''));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([size, `c${size - 1}`, 'c0']);
  });

  it('is many calls with one id, and marks for some of them', () => {
    const size = 50_000;
    const message = Message.of({
      role: 'assistant',
      content: ['a', { type: 'tool_call', id: 'c' }, 'b', { type: 'tool_call', id: 'c' }],
      toolCalls: Array.from({ length: size }, (_, index) => ({ id: 'c', name: `f${index}` })),
    });
    const names = [...message.blocks()].map((block) =>
      block.type === 'tool_call' ? block.call.name : block.part.toString(),
    );
    expect(names.slice(0, 6)).toEqual(['a', 'f0', 'b', 'f1', 'f2', 'f3']);
    expect([names.length, names.at(-1)]).toEqual([size + 2, `f${size - 1}`]);
  });

  it('is many sections', () => {
    const many = MessageStore.from({
      sections: Array.from({ length: 20_000 }, (_, index) => ({ name: `s${index}`, messages: ['a'] })),
    });
    expect(many.merge(many).toMessages().size).toBe(40_000);
    expect(many.select(many.sections.names()).sections.size).toBe(20_000);
  });

  it('is one object in many places', () => {
    let shared: unknown = ['a'];
    for (let level = 0; level < 10; level++) shared = [shared, shared];
    expect(JSON.stringify(Metadata.of({ a: shared }).get('a'))).toBe(JSON.stringify(shared));
  });
});
