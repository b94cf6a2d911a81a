import { fc, test } from '@fast-check/vitest';
import { arbitraries } from 'message-store/testing';
import {
  contentPartSchema,
  contentSchema,
  messageSchema,
  originSchema,
  sectionSchema,
  storeSchema,
} from 'message-store/schema';
import { toolCallSchema, toolResultSchema } from 'message-store/schema';
import { describe, expect, it } from 'vitest';
import { isContentJSON, isContentPartJSON } from '../../src/schema/content.ts';
import { isIncomplete, isMessageJSON } from '../../src/schema/message.ts';
import { isOrigin } from '../../src/schema/origin.ts';
import { isRole, ROLES } from '../../src/schema/role.ts';
import { isSectionJSON } from '../../src/schema/section.ts';
import { isStoreJSON } from '../../src/schema/store.ts';
import { isToolCallJSON } from '../../src/schema/tool-call.ts';
import { isToolResultJSON } from '../../src/schema/tool-result.ts';

const any = arbitraries(fc);
const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A record's guard, its schema, and JSON of the record. */
interface Kind {
  readonly isValid: (value: unknown) => boolean;
  readonly schema: () => { safeParse(value: unknown): { success: boolean } };
  readonly valid: fc.Arbitrary<unknown>;
}

const kinds: Readonly<Record<string, Kind>> = {
  content: { isValid: isContentJSON, schema: contentSchema, valid: any.content.map(throughText) },
  'a content part': { isValid: isContentPartJSON, schema: contentPartSchema, valid: any.part.map(throughText) },
  'a tool call': { isValid: isToolCallJSON, schema: toolCallSchema, valid: any.toolCall.map(throughText) },
  'a tool result': { isValid: isToolResultJSON, schema: toolResultSchema, valid: any.toolResult.map(throughText) },
  'an origin': { isValid: isOrigin, schema: originSchema, valid: any.origin.map(throughText) },
  'a message': { isValid: isMessageJSON, schema: messageSchema, valid: any.message.map(throughText) },
  'a section': { isValid: isSectionJSON, schema: sectionSchema, valid: any.section.map(throughText) },
  'a store': { isValid: isStoreJSON, schema: storeSchema, valid: any.store.map(throughText) },
};

/** All keys that a record knows, and some that none does. */
const KEYS = (
  'id createdAt parentId role name content tool_calls tool_result _metadata _origin incomplete reason arguments kind ' +
  'call_id tool_name is_error status synthetic type text provider model data messages policy sections parameters ' +
  'version extra __proto__'
).split(' ');
const TEXTS = 'x user tool robot custom function ok denied cancelled text 2026-01-31T12:00:00.000Z 2026-01-31'.split(
  ' ',
);
const OBJECTS = [
  { type: 'text' },
  { reason: 'cut' },
  { provider: 'x' },
  { provider: 1 },
  { provider: 'x', model: null },
  { id: null, name: 'f', arguments: {} },
];
/** Values that are right somewhere. */
const PLAUSIBLE = [null, true, false, 0, 1, 2, -1, '', 'line\nbreak', 'é'.repeat(128), [], {}, ['x'], [{}], [[]]];
const plausible = fc.oneof(
  fc.constantFrom<unknown[]>(...PLAUSIBLE, ...TEXTS, ...OBJECTS, ...OBJECTS.map((object) => [object])),
  any.json,
);
const garbage = fc.oneof(any.json, fc.dictionary(fc.constantFrom(...KEYS), plausible, { maxKeys: 6 }));

/** Changes one place of JSON: another value, a key less or a key more. */
type Mutation = (value: unknown) => unknown;

const mutation: fc.Arbitrary<Mutation> = fc
  .tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.constantFrom(...KEYS), plausible, fc.nat(3))
  .map(([where, key, value, kind]) => (whole) => {
    const own = throughText(value);
    const holders = holdersIn(whole);
    const holder = holders[Math.floor(where * holders.length)];
    if (holder === undefined) return own;
    const keys = Object.keys(holder);
    const known = keys[Math.floor(where * 7919) % Math.max(keys.length, 1)] ?? key;
    if (kind === 0 && !Array.isArray(holder)) delete holder[known];
    else set(holder, kind === 1 ? key : known, own);
    return whole;
  });

function holdersIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(holdersIn)];
}

function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[0] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

describe.each(Object.entries(kinds))('the guard of %s', (_, { isValid, schema, valid }) => {
  test.prop([valid])('accepts what the library writes, and so does the schema', (value) => {
    expect([isValid(value), schema().safeParse(value).success]).toEqual([true, true]);
  });

  test.prop([valid, fc.array(mutation, { minLength: 1, maxLength: 3 })], { numRuns: 1000 })(
    'agrees with the schema when something is wrong',
    (value, mutations) => {
      const mutated = throughText(mutations.reduce((before, mutate) => mutate(before), throughText(value)));
      expect(isValid(mutated), JSON.stringify(mutated)).toBe(schema().safeParse(mutated).success);
    },
  );

  test.prop([garbage], { numRuns: 500 })('agrees with the schema about anything else', (value) => {
    const own = throughText(value);
    expect(isValid(own), JSON.stringify(own)).toBe(schema().safeParse(own).success);
  });
});

const MESSAGE = { id: 'm1', createdAt: '2026-01-31T12:00:00.000Z', role: 'user', content: 'Hi' };
const CALL = { id: 'c1', name: 'f', arguments: {} };
const RESULT = { content: 'ok', call_id: 'c1', tool_name: null, is_error: false };

const without = (record: object, key: string): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** Every field of every record once with something else than what belongs there. */
const WRONG: readonly [keyof typeof kinds, object, Readonly<Record<string, readonly unknown[]>>][] = [
  [
    'a message',
    MESSAGE,
    {
      id: [undefined, '', 1, null, 'a\u0000b', 'x'.repeat(256)],
      createdAt: [undefined, '2026-01-31', '2026-02-30T12:00:00.000Z', 1],
      parentId: ['', null, 1],
      role: [undefined, '', 'User', null],
      name: [null, 1],
      content: [undefined, null, 1, {}, ['x'], [{ type: 1 }], [null]],
      tool_calls: [null, {}, [null], [without(CALL, 'id')]],
      tool_result: [null, [], {}, 'ok'],
      _metadata: [null, [], 'x'],
      incomplete: [null, {}, { reason: 1 }, []],
    },
  ],
  [
    'a tool call',
    CALL,
    {
      id: [undefined, '', 1, 'a\nb'],
      name: [undefined, null, 1],
      arguments: [undefined, null, 1, []],
      kind: [null, 'function', true],
    },
  ],
  [
    'a tool result',
    RESULT,
    {
      content: [undefined, null, {}],
      call_id: [undefined, '', 1],
      tool_name: [undefined, 1, {}],
      is_error: [undefined, null, 'false', 0],
      status: [null, 'ok', 'error', 'lost'],
      synthetic: [null, false, 'true'],
    },
  ],
  [
    'a section',
    { name: 'main', messages: [] },
    {
      name: [undefined, null, 1],
      messages: [undefined, null, {}, [{}], [without(MESSAGE, 'role')]],
      policy: [null, [], 'pin'],
    },
  ],
  [
    'a store',
    { version: 1, sections: [], parameters: {} },
    {
      version: [undefined, 0, 2, '1', null],
      sections: [undefined, null, {}, [{}], ['main']],
      parameters: [undefined, null, [], 'x'],
    },
  ],
  ['an origin', { provider: 'x' }, { provider: [undefined, null, 1], model: [null, 1] }],
  ['a content part', { type: 'text' }, { type: [undefined, null, 1] }],
];

describe('every field', () => {
  const cases = WRONG.flatMap(([kind, right, fields]) =>
    Object.entries(fields).flatMap(([key, values]) =>
      values.map((value) => [kind, key, value === undefined ? 'absent' : JSON.stringify(value), right, value] as const),
    ),
  );

  it.each(cases)('of %s is checked by guard and schema: %s %s', (kind, key, _, right, value) => {
    const { isValid, schema } = kinds[kind] as Kind;
    const wrong = value === undefined ? without(right, key) : { ...right, [key]: value };
    expect([isValid(right), schema().safeParse(right).success]).toEqual([true, true]);
    expect([isValid(wrong), schema().safeParse(wrong).success]).toEqual([false, false]);
  });

  it('of a message may be what belongs there', () => {
    const full = {
      ...MESSAGE,
      parentId: 'm0',
      name: 'Ann',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'anything', more: [1] },
      ],
      tool_calls: [CALL, { id: null, name: '', arguments: 'free text', kind: 'custom' }],
      tool_result: { ...RESULT, tool_name: 'f', is_error: true, status: 'denied', synthetic: true },
      _metadata: { a: null },
      _origin: 'said without meaning',
      incomplete: { reason: 'cut' },
      vendor: { anything: true },
    };
    expect([isMessageJSON(full), messageSchema().safeParse(full).success]).toEqual([true, true]);
    const section = { name: '', messages: [full], policy: {}, more: 1 };
    expect(isStoreJSON({ version: 1, sections: [section], parameters: {}, more: 1 })).toBe(true);
  });
});

describe('a role', () => {
  it('is one of five words, spelled exactly', () => {
    expect(ROLES).toEqual(['system', 'developer', 'user', 'assistant', 'tool']);
    expect(ROLES.every(isRole)).toBe(true);
    expect(['User', ' user', '', 'admin', null, undefined, 1, ['user']].some(isRole)).toBe(false);
  });
});

describe('the mark of a cut stream', () => {
  it('is an object with a reason', () => {
    expect([{ reason: '' }, { reason: 'cut', at: 1 }].every(isIncomplete)).toBe(true);
    expect([{}, { reason: 1 }, null, 'cut', ['reason']].some(isIncomplete)).toBe(false);
  });
});
