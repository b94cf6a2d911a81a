import { fc, it } from '@fast-check/vitest';
import { Content, Message, MessageStore, ToolCall } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import type { Equatable } from '../../support/model-values.ts';

const any = arbitraries(fc);

type Comparable = Equatable & { toJSON(): unknown };

/** Equality is an equivalence, and says what the JSON says, whatever the order of its keys (that of arguments counts). */
function compares<T extends Comparable>(a: T, b: T, fromJSON: (json: unknown) => T): void {
  const equal = (x: T, y: T): boolean => x.equals(y as never);
  const again = fromJSON(a.toJSON());
  const once = fromJSON(again.toJSON());
  expect([equal(a, a), equal(a, again), equal(again, a), equal(again, once), equal(a, once)]).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(equal(a, b)).toBe(equal(b, a));
  expect(equal(again, b)).toBe(equal(a, b));
  expect(equal(a, b)).toBe(sameJSON(a.toJSON(), b.toJSON()));
}

function sameJSON(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(
      ([key, field]: [string, unknown]) => [key, key === 'arguments' ? JSON.stringify(field) : sorted(field)] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe('equality is an equivalence of', () => {
  it.prop([any.content, any.content])('content', (a, b) => compares(a, b, Content.fromJSON));
  it.prop([any.toolCall, any.toolCall])('tool calls', (a, b) => compares(a, b, ToolCall.fromJSON));
  it.prop([any.message, any.message])('messages', (a, b) => compares(a, b, Message.fromJSON));
  it.prop([any.message, any.message])('messages of one identity', (a, b) => {
    const { id, createdAt } = a;
    compares(a, Message.of({ ...fieldsOf(b), id, createdAt }), Message.fromJSON);
  });
  it.prop([any.store, any.store])('stores', (a, b) => compares(a, b, MessageStore.fromJSON));
  it.prop([any.store])('stores that differ in one message', (store) => {
    compares(store, store.section('chat').appendMessages('more'), MessageStore.fromJSON);
  });
});

function fieldsOf({
  role,
  name,
  content,
  metadata,
  toolCalls,
  toolResult,
  origin,
  incomplete,
  extra,
}: Message): object {
  return { role, name, content, metadata, toolCalls, toolResult, origin, incomplete, extra };
}
