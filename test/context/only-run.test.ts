import { fc, it } from '@fast-check/vitest';
import { type Message, Messages, onlyRun, validate } from 'message-store';
import { assistant, call, chat, result, user } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { wellFormedOrOpen } from '../turns/histories.ts';

const trace = (message: Message, run: unknown, key = 'is_trace') =>
  message.withMetadata(key, true).withMetadata('run', run);

describe('the traces of one run', () => {
  it('are all that stays of traces', () => {
    const old = trace(assistant('old'), 'r1');
    const list = chat(user('q'), old, trace(assistant('new'), 'r2'), old.withMetadata('is_trace', false));
    expect(onlyRun(list, { run: 'r2' }).map(String)).toEqual(['q', 'new', 'old']);
    expect(onlyRun(list, { run: 'r2', agent: 1 }).map(String)).toEqual(['q', 'old']);
    expect(onlyRun(list, {})).toBe(list);
    expect(onlyRun(list, {}, { trace: 'other' })).toBe(list);
    expect(onlyRun('q', { run: 'r1' }).map(String)).toEqual(['q']);
  });

  it('are known by another key, and by values of any kind', () => {
    const list = chat(trace(assistant('a'), { id: [1] }, 'step'), trace(assistant('b'), null, 'step'));
    expect(onlyRun(list, { run: { id: [1] } }, { trace: 'step' }).map(String)).toEqual(['a']);
    expect(onlyRun(list, { run: null }, { trace: 'step' }).map(String)).toEqual(['b']);
    expect(onlyRun(list, { constructor: 1 }, { trace: 'step' }).size).toBe(0);
  });

  it('go or stay with their answers, whatever those say', () => {
    const turn = assistant('', call('f'));
    const answer = result('f', '1');
    expect(onlyRun(chat(trace(turn, 'r1'), answer), { run: 'r2' }).size).toBe(0);
    expect(onlyRun(chat(turn, trace(answer, 'r1')), { run: 'r2' }).size).toBe(2);
  });

  const runs = fc.array(fc.constantFrom(undefined, 'r1', 'r2'), { minLength: 1 });

  it.prop([wellFormedOrOpen, runs])('stay valid, in order, and the same when asked for again', (history, of) => {
    const messages = Messages.of(
      ...history.map((message, at) => {
        const run = of[at % of.length];
        return run === undefined ? message : trace(message, run);
      }),
    );
    const kept = onlyRun(messages, { run: 'r1' });
    expect(validate(kept)).toEqual([]);
    expect(onlyRun(kept, { run: 'r1' })).toBe(kept);
    expect([...messages].filter((message) => [...kept].includes(message))).toEqual([...kept]);
    expect(kept === messages).toBe(kept.size === messages.size);
  });
});
