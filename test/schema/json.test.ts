import { runInNewContext } from 'node:vm';
import { fc, test } from '@fast-check/vitest';
import { arbitraries } from 'message-store/testing';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../../src/errors.ts';
import {
  copyJson,
  copyJsonObject,
  equalJson,
  freezeJson,
  isRecord,
  isSound,
  type JsonObject,
  type JsonValue,
  MAX_DEPTH,
  NO_FIELDS,
  setOwn,
} from '../../src/schema/json.ts';
import { cycle, deepValue, revokedProxy, throwingField } from '../support/hostile-values.ts';

const { json } = arbitraries(fc);
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

class Point {
  x = 1;
}

/** All lists and objects inside a value, itself included. */
function nestedIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(nestedIn)];
}

function throwing(): never {
  throw new Error('boom');
}

/** The error that copying a value gives. */
function refusal(value: unknown, path = ''): InvalidInputError {
  try {
    copyJson(value, path);
  } catch (error) {
    if (error instanceof InvalidInputError) return error;
  }
  return expect.fail('it was not refused');
}

describe('a copy of JSON', () => {
  test.prop([json])(
    'is the same JSON, frozen to the bottom, and shares nothing with what it was made from',
    (value) => {
      const before = throughText(value);
      const copied = copyJson(value);
      expect(copied).toEqual(before);
      expect(JSON.stringify(copied)).toBe(JSON.stringify(value));
      const givenParts = new Set(nestedIn(value));
      for (const part of nestedIn(copied)) {
        expect(Object.isFrozen(part)).toBe(true);
        expect(givenParts.has(part)).toBe(false);
      }
      expect(value).toEqual(before);
    },
  );

  test.prop([
    fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withBigInt: true, withSparseArray: true }),
  ])('of any value is what JSON text would hold, or an error that names a path', (value) => {
    try {
      expect(JSON.stringify(copyJson(value, 'metadata'))).toBe(JSON.stringify(value));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      expect(error.path.startsWith('metadata')).toBe(true);
      expect(error.message.startsWith(`${error.path}: expected `)).toBe(true);
    }
  });

  it('leaves out fields that are undefined, and reads what has a toJSON', () => {
    const date = new Date('2026-01-31T12:00:00.000Z');
    const url = new URL('https://example.com/a');
    expect(copyJson({ a: undefined, date, list: [url], own: { toJSON: () => ({ b: [1] }) } })).toEqual({
      date: '2026-01-31T12:00:00.000Z',
      list: ['https://example.com/a'],
      own: { b: [1] },
    });
  });

  it('takes a field toJSON that is data as data', () => {
    expect(copyJson({ toJSON: 'yes' })).toEqual({ toJSON: 'yes' });
  });

  it('has no negative zero, which JSON text cannot hold', () => {
    expect(Object.is(copyJson(-0), 0)).toBe(true);
    expect(Object.is((copyJson([-0]) as number[])[0], 0)).toBe(true);
  });

  it('takes plain objects of every kind: without prototype, frozen, of another realm', () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    const foreign: unknown = runInNewContext('({ a: [1, { b: 2 }] })');
    expect(copyJson([bare, Object.freeze({ a: 1 }), foreign])).toEqual([{ a: 1 }, { a: 1 }, { a: [1, { b: 2 }] }]);
  });

  it('takes own enumerable fields with text keys, and no others', () => {
    const value = Object.defineProperty({ [Symbol('s')]: 1, a: 1 }, 'hidden', { value: 1, enumerable: false });
    expect(copyJson(value)).toEqual({ a: 1 });
    expect(copyJson(Object.assign([1], { more: 2 }))).toEqual([1]);
  });

  it('takes one object in two places, as long as it is not inside itself', () => {
    const shared = { a: [1] };
    expect(copyJson({ x: shared, y: [shared, shared] })).toEqual({ x: shared, y: [shared, shared] });
  });

  it('has __proto__ and its like as plain keys', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1}';
    const copied = copyJson(JSON.parse(text)) as JsonObject;
    expect(JSON.stringify(copied)).toBe(text);
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['a function', { a: [() => 1] }, 'v.a[0]: expected a JSON value, got a function'],
    ['a symbol', { a: Symbol('s') }, 'v.a: expected a JSON value, got a symbol'],
    ['a BigInt', [1n], 'v[0]: expected a JSON value, got 1n'],
    ['undefined in a list', [1, undefined], 'v[1]: expected a JSON value, got undefined'],
    ['undefined itself', undefined, 'v: expected a JSON value, got undefined'],
    ['a hole in a list', Object.assign([], { 0: 1, 2: 3 }), 'v[1]: expected a JSON value, got undefined'],
    ['a long sparse list', Object.assign([], { length: 4_294_967_295 }), 'v[0]: expected a JSON value, got undefined'],
    ['NaN', { a: { 'b c': Number.NaN } }, 'v.a["b c"]: expected a finite number, got NaN'],
    ['an infinity', [-Infinity], 'v[0]: expected a finite number, got -Infinity'],
    ['an invalid Date', { at: new Date(Number.NaN) }, 'v.at: expected a valid Date, got an object of class Date'],
    ['a Map', { a: new Map([['b', 1]]) }, 'v.a: expected a JSON value, got an object of class Map'],
    ['a Set', new Set([1]), 'v: expected a JSON value, got an object of class Set'],
    ['bytes', { a: new Uint8Array(2) }, 'v.a: expected a JSON value, got an object of class Uint8Array'],
    ['a class instance', [new Point()], 'v[0]: expected a JSON value, got an object of class Point'],
    ['what inherits', Object.create({ a: 1 }), 'v: expected a JSON value, got an object of class Object'],
    ['an Error', new Error('boom'), 'v: expected a JSON value, got the error "boom"'],
    ['a lone surrogate', { a: 'x\ud83d' }, 'v.a: expected well-formed Unicode (no lone surrogates), got "x\\ud83d"'],
    ['one in a key', { a: { '\ude00': 1 } }, 'v.a: expected well-formed Unicode (no lone surrogates), got "\\ude00"'],
    ['a cycle', cycle(), 'v.a[0].back: expected a value without cycles, got an object'],
    ['a toJSON that gives undefined', { a: { toJSON: () => undefined } }, 'v.a: expected a JSON value, got undefined'],
    [
      'a getter that throws',
      { a: throwingField('b') },
      'v.a.b: expected a value that can be read, got the error "boom"',
    ],
    ['a revoked proxy', { a: [revokedProxy()] }, `v.a[0]: expected a value that can be read, got the error "Cannot perform 'IsArray' on a proxy that has been revoked"`], // oxfmt-ignore
    ['a revoked list', { a: revokedProxy([]) }, `v.a: expected a value that can be read, got the error "Cannot perform 'IsArray' on a proxy that has been revoked"`], // oxfmt-ignore
  ])('is refused where there is %s', (_, value, message) => {
    expect(refusal(value, 'v').message).toBe(message);
  });

  it('is refused where a toJSON throws, gives itself, or gives another one for ever', () => {
    expect(refusal({ a: { toJSON: throwing } }).message).toBe(
      'a: expected a value that can be read, got the error "boom"',
    );
    const itself = { toJSON: () => itself };
    expect(refusal({ a: itself }).message).toBe('a: expected a value without cycles, got an object');
    const endless = (): object => ({ toJSON: endless });
    expect(refusal({ a: endless() }).message).toBe('a: expected nesting of at most 1008 levels, got an object');
  });

  it('is refused where a proxy throws at any touch, keeping the cause', () => {
    const boom = new Error('boom');
    const traps = ['ownKeys', 'getPrototypeOf', 'has', 'get', 'getOwnPropertyDescriptor'] as const;
    for (const trap of traps) {
      const proxy = new Proxy({ field: 1 }, { [trap]: () => { throw boom; } }); // oxfmt-ignore
      const error = refusal({ a: proxy });
      expect([error.path.replace('.field', ''), error.cause, error.code]).toEqual(['a', boom, 'invalid_input']);
    }
    const list = new Proxy([1, 2], { get: (target, key) => (key === '1' ? throwing() : target[key as never]) });
    expect(refusal({ list }).path).toBe('list[1]');
  });

  it('sees through a proxy that is readable', () => {
    expect(copyJson(new Proxy({ a: new Proxy([1], {}) }, {}))).toEqual({ a: [1] });
  });

  it('keeps an error of its own as it is', () => {
    const own = refusal(Number.NaN, 'elsewhere');
    expect(() =>
      copyJson({
        get a() {
          throw own;
        },
      }),
    ).toThrow(own);
  });

  it('says what came as it came', () => {
    const value = new Map();
    expect(refusal({ a: value }).value).toBe(value);
  });
});

describe('a copy of one value', () => {
  it('is an object', () => {
    expect(copyJsonObject({ a: 1 }, 'policy')).toEqual({ a: 1 });
    for (const [value, got] of [
      [[], 'an empty list'],
      [null, 'null'],
      ['text', '"text"'],
      [new Date(0), 'an object of class Date'],
      [{ toJSON: () => [1] }, 'an object'],
    ] as const)
      expect(() => copyJsonObject(value, 'policy')).toThrow(`policy: expected an object, got ${got}`);
  });
});

describe('depth', () => {
  const levels = (count: number): JsonObject => ({ a: deepValue(count - 1) as JsonValue });

  it('is up to 1000 levels for a value, and a little more for the document around it', () => {
    expect(copyJsonObject(levels(MAX_DEPTH))).toEqual(levels(MAX_DEPTH));
    expect(() => copyJsonObject(levels(MAX_DEPTH + 1))).toThrow(
      'expected nesting of at most 1000 levels, got an empty list',
    );
    expect(copyJson(levels(MAX_DEPTH + 8))).toEqual(levels(MAX_DEPTH + 8));
    expect(() => copyJson(levels(MAX_DEPTH + 9))).toThrow('expected nesting of at most 1008 levels, got an empty list');
  });

  it('shows only the beginning of a path without end', () => {
    const error = refusal(deepValue(100_000), 'metadata');
    expect(error.path).toBe(`metadata${'[0]'.repeat(64)}`);
  });

  it('is sound as far as a value of a document may nest', () => {
    expect([MAX_DEPTH, MAX_DEPTH + 1, 100_000].map((count) => isSound(levels(count)))).toEqual([true, false, false]);
    expect(isSound(throughText({ a: { b: levels(MAX_DEPTH - 1) } }))).toBe(false);
  });
});

describe('freezing in place', () => {
  test.prop([json])('freezes to the bottom and changes nothing', (value) => {
    const own = throughText(value) as JsonValue;
    expect(freezeJson(own)).toBe(own);
    expect(own).toEqual(throughText(value));
    for (const part of nestedIn(own)) expect(Object.isFrozen(part)).toBe(true);
  });

  it('stops at what is frozen, whatever is below it', () => {
    const below = { a: 1 };
    freezeJson([Object.freeze([below])]);
    expect(Object.isFrozen(below)).toBe(false);
  });
});

describe('equality of JSON', () => {
  test.prop([json, json])('is what equal text is, whatever the order of keys', (a, b) => {
    const sorted = (value: unknown): unknown =>
      isRecord(value)
        ? Object.entries(value)
            .map(([key, field]) => [key, sorted(field)] as const)
            .toSorted(([x], [y]) => (x < y ? -1 : 1))
        : Array.isArray(value)
          ? ['list', ...value.map(sorted)]
          : value;
    expect(equalJson(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    expect(equalJson(b, a)).toBe(equalJson(a, b));
  });

  test.prop([json])('holds for a copy, and for the same keys in another order', (value) => {
    const turned = (part: unknown): unknown =>
      isRecord(part)
        ? Object.fromEntries(
            Object.entries(part)
              .toReversed()
              .map(([key, field]) => [key, turned(field)]),
          )
        : Array.isArray(part)
          ? part.map(turned)
          : part;
    expect(equalJson(value, value)).toBe(true);
    expect(equalJson(value, throughText(value))).toBe(true);
    expect(equalJson(value, turned(value))).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [0, false],
    [0, '0'],
    ['', null],
    [null, undefined],
    [[], {}],
    [{}, []],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ constructor: 1 }, { toString: 1 }],
    [{ a: { b: [1] } }, { a: { b: [2] } }],
    [{}, null],
    [null, {}],
    [1, {}],
    [{}, 1],
  ])('does not hold for %j and %j', (a, b) => {
    expect(equalJson(a, b)).toBe(false);
  });

  it('holds for 0 and -0, which are the same in JSON text, and for nothing and nothing', () => {
    expect([equalJson(0, -0), equalJson([-0], [0]), equalJson(undefined, undefined)]).toEqual([true, true, true]);
  });
});

describe('own fields', () => {
  it('are set under any name without touching a prototype', () => {
    const target: Record<string, JsonValue> = {};
    for (const key of ['a', '__proto__', 'constructor', 'toString']) setOwn(target, key, { of: key });
    expect(Object.keys(target)).toEqual(['a', '__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(target, '__proto__')).toEqual({
      value: { of: '__proto__' },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it('are none in the shared empty object', () => {
    expect(Object.keys(NO_FIELDS)).toEqual([]);
    expect(Object.isFrozen(NO_FIELDS)).toBe(true);
  });
});

describe('a record', () => {
  it('is an object that holds its data in fields, also of a class of the caller', () => {
    const foreign: unknown = runInNewContext('({ a: 1 })');
    const records = [
      {},
      Object.create(null),
      foreign,
      new Point(),
      Object.create({ a: 1 }),
      { [Symbol.toStringTag]: 'x' },
    ];
    expect(records.map(isRecord)).toEqual(records.map(() => true));
  });

  it('is no list, no other value, and nothing of a built-in class', () => {
    const builtIn = [
      new Map(),
      new Set(),
      new Date(),
      /x/,
      new Uint8Array(),
      new ArrayBuffer(),
      new Error('x'),
      Object('x'),
    ];
    const others = [...builtIn, Promise.resolve(), [], null, 'x', 1, undefined, () => 1, Symbol('s')];
    expect(others.map(isRecord)).toEqual(others.map(() => false));
  });
});
