import { Message, Messages } from 'message-store';
import { assistant, call, chat, result, type Turn, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

/** Where each exchange starts, and the roles in it. */
const exchanges = (...turns: readonly Turn[]) =>
  [...chat(...turns).exchanges()].map(({ start, messages }) => [start, ...messages.map(({ role }) => role)]);

describe('the exchanges of a conversation', () => {
  it('are single messages, and calls with all their answers', () => {
    const asking = assistant('', call('f', {}, 'a'), call('g', {}, 'b'));
    expect(exchanges('Hi', asking, result('a', '1'), result('b', '2'), assistant('Done'), 'Thanks')).toEqual([
      [0, 'user'],
      [1, 'assistant', 'tool', 'tool'],
      [4, 'assistant'],
      [5, 'user'],
    ]);
  });

  it('are none of an empty list', () => {
    expect([...Messages.empty().exchanges()]).toEqual([]);
  });

  it('hold calls without answers, and calls right behind calls, each by itself', () => {
    expect(exchanges(call('f'), call('g'), result('g', '1'))).toEqual([
      [0, 'assistant'],
      [1, 'assistant', 'tool'],
    ]);
  });

  it('leave answers that follow no call to themselves', () => {
    const carrying = Message.of({ role: 'user', toolCalls: [call('f')] });
    expect(exchanges(result('a', '1'), result('b', '2'), 'Hi', result('c', '3'), carrying, result('f', '4'))).toEqual(
      ['tool', 'tool', 'user', 'tool', 'user', 'tool'].map((role, at) => [at, role]),
    );
  });

  it('hold the very messages, and come one by one', () => {
    const messages = chat(user('Hi'), call('f'), result('f', '1'));
    const walk = messages.exchanges();
    expect(walk.next().value).toEqual({ start: 0, messages: [messages.at(0)] });
    expect(walk.next().value).toEqual({ start: 1, messages: [messages.at(1), messages.at(2)] });
    expect(walk.next().done).toBe(true);
  });
});
