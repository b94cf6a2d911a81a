import { inspect } from 'node:util';
import { InvalidInputError, MessageStoreError } from 'message-store';
import { describe, expect, it, vi } from 'vitest';
import { reject, unreadable } from '../src/errors.ts';

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.fail('nothing was thrown');
}

describe('an error', () => {
  it('is an Error with a code to branch on, and knows where it happened and what came', () => {
    const cause = new Error('below');
    const value = { secret: 1 };
    const error = new MessageStoreError('missing_message', 'no such message', { path: 'messages[1]', value, cause });
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message, error.code, error.path]).toEqual([
      'MessageStoreError',
      'no such message',
      'missing_message',
      'messages[1]',
    ]);
    expect([error.value, error.cause]).toEqual([value, cause]);
    expect(String(error)).toBe('MessageStoreError: no such message');
  });

  it('has no path, value or cause where there is none', () => {
    const error = new MessageStoreError('no_messages', 'nothing here');
    expect([error.path, error.value, 'cause' in error]).toEqual(['', undefined, false]);
    expect('cause' in new MessageStoreError('no_messages', 'nothing', { cause: undefined })).toBe(true);
  });

  it('does not print the value that came, which may be private', () => {
    const error = new InvalidInputError({ path: 'a', expected: 'b', value: { secret: 1 } });
    expect(Object.keys(error).toSorted()).toEqual(['code', 'expected', 'message', 'name', 'path']);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
  });

  it('has its sentence in the JSON of it, and once where it is printed', () => {
    const error = new MessageStoreError('no_messages', 'nothing here');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'MessageStoreError',
      message: 'nothing here',
      code: 'no_messages',
      path: '',
    });
    expect(inspect(error).split('nothing here')).toHaveLength(2);
  });

  it('is recognised by its mark, also when another copy of the library made it', async () => {
    vi.resetModules();
    const other = await import('../src/errors.ts');
    const foreign = new other.MessageStoreError('losses', 'from another copy');
    expect(foreign).not.toBeInstanceOf(MessageStoreError);
    expect(MessageStoreError.isInstance(foreign)).toBe(true);
    expect(InvalidInputError.isInstance(new other.InvalidInputError({ expected: 'x', value: 1 }))).toBe(true);
  });

  it('is nothing else', () => {
    const others = [
      new Error('MessageStoreError'),
      { code: 'invalid_input' },
      null,
      undefined,
      'MessageStoreError',
      () => 1,
    ];
    expect(others.some((other) => MessageStoreError.isInstance(other))).toBe(false);
  });
});

describe('an error about input', () => {
  it('says where, what was expected, and what came', () => {
    const error = thrownBy(() => reject('messages[3].role', 'a role', 'robot')) as InvalidInputError;
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toBeInstanceOf(MessageStoreError);
    expect([error.name, error.code, error.path, error.expected, error.value]).toEqual([
      'InvalidInputError',
      'invalid_input',
      'messages[3].role',
      'a role',
      'robot',
    ]);
    expect(error.message).toBe('messages[3].role: expected a role, got "robot"');
  });

  it('leaves the place out where there is none', () => {
    expect(thrownBy(() => reject('', 'a list', 5))).toHaveProperty('message', 'expected a list, got 5');
    expect(new InvalidInputError({ expected: 'a list', value: 5 }).message).toBe('expected a list, got 5');
  });

  it('can have a code of its own, and a cause', () => {
    const cause = new Error('below');
    const error = new InvalidInputError({ code: 'invalid_json', expected: 'JSON', value: '{', cause });
    expect([error.code, error.cause]).toEqual(['invalid_json', cause]);
  });
});

describe('an error about what cannot be read', () => {
  it('says where, and keeps what was thrown', () => {
    const boom = new Error('boom');
    const error = unreadable('messages[3]', boom);
    expect([error.message, error.code, error.path, error.cause]).toEqual([
      'messages[3]: expected a value that can be read, got the error "boom"',
      'invalid_input',
      'messages[3]',
      boom,
    ]);
    expect(unreadable('a', 'no error').message).toBe('a: expected a value that can be read, got "no error"');
  });

  it('is an error of the library itself where that was thrown', () => {
    const own = new MessageStoreError('no_messages', 'nothing here');
    expect(unreadable('messages[3]', own)).toBe(own);
  });
});
