import { dropExchange, keepLast, type Messages, splitAt } from 'message-store';
import { assistant, call, chat, result } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const asking = assistant('', call('f', {}, 'a'), call('g', {}, 'b'));
const history = chat('1', asking, result('a', '2'), result('b', '3'), assistant('4'), '5');

const sizes = (lists: readonly Messages[]) => lists.map((messages) => messages.size);

describe('keeping the last messages', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 5],
    [6, 6],
    [Number.POSITIVE_INFINITY, 6],
  ])('%s of six with a turn in the middle are %s', (count, size) => {
    const kept = keepLast(history, count);
    expect([...kept]).toEqual(history.map((message) => message).slice(6 - size));
  });

  it.each([-1, 0.5, Number.NaN, '2' as never])('cannot be asked for %s', (count) => {
    expect(() => keepLast(history, count)).toThrow(/^count: expected a whole number from 0 on, got /);
  });

  it('gives the very list where all is kept', () => {
    expect(keepLast(history, 6)).toBe(history);
    expect(keepLast(history, 99)).toBe(history);
    expect(keepLast(chat(), 3).size).toBe(0);
  });

  it.each([1, 2])('keeps the newest turn whole where %s would leave nothing', (count) => {
    const ending = history.slice(0, 4);
    expect([...keepLast(ending, count)]).toEqual([...ending].slice(1));
  });

  it('keeps what there is where a list is nothing but answers', () => {
    const stray = chat(result('a', '1'), result('b', '2'));
    expect(keepLast(stray, 1)).toBe(stray);
  });

  it('does not begin with an answer when only so many are read for a request', () => {
    const stored = chat('q', call('lookup', { k: 1 }, 'c1'), result('c1', 'v'), assistant('done'));
    const sent = keepLast(stored, 2).appendMessage('next');
    expect(sent.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(stored.size).toBe(4);
  });
});

describe('splitting', () => {
  it.each([
    [-3, 0],
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 4],
    [4.7, 4],
    [5, 5],
    [6, 6],
    [99, 6],
  ])('at %s cuts before %s', (index, size) => {
    const [head, tail] = splitAt(history, index);
    expect(sizes([head, tail])).toEqual([size, 6 - size]);
    expect([...head, ...tail]).toEqual([...history]);
  });

  it('gives the very list on one side where nothing is on the other', () => {
    expect(splitAt(history, 0)[1]).toBe(history);
    expect(splitAt(history, 6)[0]).toBe(history);
  });
});

describe('dropping an exchange', () => {
  it.each([1, 2, 3])('takes the whole turn by the id of message %s', (at) => {
    expect(dropExchange(history, history.at(at)!.id).map(String)).toEqual(['1', '4', '5']);
  });

  it('takes one message that is no part of a turn', () => {
    expect(dropExchange(history, history.at(0)!.id).map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('gives the very list where there is no such message', () => {
    expect(dropExchange(history, 'none')).toBe(history);
  });
});
