import type { Message } from 'message-store';
import { ContentPart, Messages, ToolCall } from 'message-store';
import { assistant, call, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const mark = (id: string) => ContentPart.of('tool_call', { id });
/** `a`, `[f]`: what a message says, in order. */
const order = (message: Message) =>
  [...message.blocks()].map((block) => (block.type === 'part' ? String(block.part) : `[${block.call.name}]`)).join(' ');
const folded = (...messages: readonly Message[]) => messages.reduce((all, message) => all.withMergedFrom(message));

describe('the blocks of a message', () => {
  it('are its parts, then its calls', () => {
    expect(order(assistant('a', call('f'), call('g')))).toBe('a [f] [g]');
    expect(order(user('a'))).toBe('a');
    expect(order(assistant([], call('f')))).toBe('[f]');
  });

  it('are in true order where marks say so', () => {
    expect(order(assistant(['a', mark('g'), 'b', mark('f')], call('f'), call('g'), call('h')))).toBe('a [g] b [f] [h]');
  });

  it('have a place for each of two calls of one id', () => {
    expect(order(assistant([mark('x'), 'a', mark('x')], call('f', {}, 'x'), call('g', {}, 'x')))).toBe('[f] a [g]');
  });

  it('do not count a mark without a call', () => {
    expect(order(assistant([mark('gone'), 'a'], call('f')))).toBe('a [f]');
  });
});

describe('folding messages', () => {
  it('keeps the order: a call that text follows is marked', () => {
    const merged = folded(assistant('a', call('f')), assistant('b', call('g')));
    expect(order(merged)).toBe('a [f] b [g]');
    expect(merged.content.toJSON()).toEqual([
      { type: 'text', text: 'a' },
      { type: 'tool_call', id: 'f' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('marks nothing where the calls stand at the end anyway', () => {
    const merged = folded(assistant('a'), assistant('', call('f')), assistant([], call('g')));
    expect([order(merged), merged.content.toJSON()]).toEqual(['a [f] [g]', 'a']);
  });

  it('keeps the order of marked calls', () => {
    expect(order(folded(assistant([mark('g'), 'a', mark('f')], call('f'), call('g')), assistant('b')))).toBe(
      '[g] a [f] b',
    );
  });

  it('keeps apart calls that share an id', () => {
    const twice = folded(assistant('a', call('f', {}, 'x'), call('g', {}, 'x')), assistant('b', call('h', {}, 'x')));
    expect(order(twice)).toBe('a [f] [g] b [h]');
  });

  it('does not take a mark without a call for one of the next message', () => {
    expect(order(folded(assistant([mark('x'), 'a']), assistant('b', call('f', {}, 'x'))))).toBe('a b [f]');
  });

  it('puts calls without an id, which cannot be marked, at the end', () => {
    expect(order(folded(assistant('a', ToolCall.of({ name: 'f' }), call('g')), assistant('b')))).toBe('a [g] b [f]');
  });

  it('is the same however long the run', () => {
    const run = Array.from({ length: 50 }, (_, at) => assistant(`t${at}`, call(`f${at}`)));
    const [merged] = Messages.of(...run).toMergedPerRole();
    expect(order(merged!)).toBe(run.map((_, at) => `t${at} [f${at}]`).join(' '));
  });
});
