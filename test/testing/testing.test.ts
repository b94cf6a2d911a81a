import { fc, it as property } from '@fast-check/vitest';
import { Message, Messages, MessageStore } from 'message-store';
import {
  arbitraries,
  assistant,
  call,
  chat,
  developer,
  fixIdentity,
  result,
  store,
  system,
  user,
  withFixedIdentity,
} from 'message-store/testing';
import { afterEach, describe, expect, it } from 'vitest';

const said = (messages: Messages) =>
  messages.map((message) => `${message.role}: ${String(message) || String(message.toolCalls)}`);

describe('the builders', () => {
  it('read as a conversation', () => {
    const weather = chat(
      system('Be brief.'),
      developer('Use metric units.'),
      'Weather?',
      assistant('Let me look.', call('weather', { city: 'Oslo' })),
      result('weather', '12 °C'),
      call('time'),
      result('time', 'late', { toolName: 'time', status: 'error' }),
      user('Thanks.', 'ada'),
    );
    expect(said(weather)).toEqual([
      'system: Be brief.',
      'developer: Use metric units.',
      'user: Weather?',
      'assistant: Let me look.',
      'tool: 12 °C',
      'assistant: time()',
      'tool: late',
      'user: Thanks.',
    ]);
    expect(weather.at(3)?.toolCalls.first()?.id).toBe(weather.at(4)?.toolResult?.callId);
    expect(weather.at(6)?.toolResult).toMatchObject({ toolName: 'time', status: 'error' });
    expect(weather.last()?.name).toBe('ada');
  });

  it('give calls an id of their own where a tool is called twice', () => {
    expect(
      assistant(null, call('f', {}, 'a'), call('f', '{"x":1}', 'b')).toolCalls.map(
        ({ id, argsText }) => `${id} ${argsText}`,
      ),
    ).toEqual(['a {}', 'b {"x":1}']);
  });

  it('build stores', () => {
    const prompt = store({ system: [system('S')], chat: ['Hi', call('f')], more: chat('a') }, { model: 'small' });
    expect(prompt.sections.map(({ name, size }) => `${name} ${size}`)).toEqual(['system 1', 'chat 2', 'more 1']);
    expect(prompt.parameters().get().toJSON()).toEqual({ model: 'small' });
    expect(store({}).equals(MessageStore.empty())).toBe(true);
  });
});

describe('fixed identity', () => {
  let restore = (): void => {};
  afterEach(() => restore());

  it('counts ids and seconds', () => {
    restore = fixIdentity();
    expect([user('a'), user('b')].map(({ id, timestamp }) => [id, timestamp])).toEqual([
      ['id-1', '2026-01-01T00:00:00.000Z'],
      ['id-2', '2026-01-01T00:00:01.000Z'],
    ]);
  });

  it('begins and steps as it is told', () => {
    restore = fixIdentity({ prefix: 'm', start: '2030-06-01T00:00:00.500Z', step: 1 });
    expect([user('a'), user('b')].map(({ id, timestamp }) => [id, timestamp])).toEqual([
      ['m1', '2030-06-01T00:00:00.500Z'],
      ['m2', '2030-06-01T00:00:00.501Z'],
    ]);
  });

  it('ends, also within another', () => {
    restore = fixIdentity();
    expect(withFixedIdentity(() => user('a').id, { prefix: 'inner-' })).toBe('inner-1');
    expect(user('b').id).toBe('id-1');
    expect(() =>
      withFixedIdentity(() => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    expect(user('c').id).toBe('id-2');
    restore();
    expect(user('d').id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the arbitraries', () => {
  const any = arbitraries(fc);

  property.prop([any.messageInput])('give what can stand for a message', (input) => {
    expect(Message.from(input)).toBeInstanceOf(Message);
  });

  property.prop([fc.array(any.messageInput)])('give what can stand in a list of messages', (inputs) => {
    const listed = inputs.filter((input) => !Array.isArray(input));
    expect(Messages.from(listed).size).toBe(listed.length);
  });

  it('give odd values often enough to be of use', () => {
    const stores = fc.sample(any.store, { numRuns: 500, seed: 1 });
    const messages = stores.flatMap((those) => those.sections.map(({ messages: of }) => [...of]).flat());
    const parts = messages.flatMap((message) => [...message.content.parts]);
    const calls = messages.flatMap((message) => [...message.toolCalls]);
    const seen = {
      'a blank part': parts.some((part) => part.isEmpty()),
      'a mark': parts.some((part) => part.isMark()),
      'a mark that has its call': messages.some((message) =>
        [...message.content.parts].some(
          (part) => part.isMark() && [...message.toolCalls].some(({ id }) => id === part.get('id')),
        ),
      ),
      'an unknown type': parts.some((part) => part.type === 'video'),
      'a key __proto__': stores.some((those) => JSON.stringify(those).includes('"__proto__":')),
      'extra fields': messages.some(({ extra }) => Object.keys(extra).length > 0),
      'an origin': messages.some(({ origin }) => origin !== undefined),
      'signed reasoning': parts.some((part) => part.type === 'reasoning' && part.origin?.data !== undefined),
      'a cut stream': messages.some(({ incomplete }) => incomplete !== undefined),
      'malformed arguments': calls.some((each) => each.isMalformed()),
      'a custom call': calls.some(({ kind }) => kind === 'custom'),
      'a call without an id': calls.some(({ id }) => id === undefined),
      'a result in another role': messages.some((message) => message.hasToolResult() && !message.isTool()),
      'text of another script': parts.some((part) => /[^\p{ASCII}]/u.test(String(part))),
      'a policy': stores.some((those) => [...those.sections].some(({ policy }) => policy !== undefined)),
    };
    expect(Object.entries(seen).filter(([, isSeen]) => !isSeen)).toEqual([]);
  });
});
