import { fc, it } from '@fast-check/vitest';
import {
  Content,
  ContentPart,
  ContentParts,
  Message,
  Messages,
  MessageStore,
  Metadata,
  Section,
  Sections,
  ToolCall,
  ToolCalls,
  ToolResult,
} from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { type Equatable, expectEqual, expectFrozen } from '../../support/model-values.ts';

const any = arbitraries(fc);

interface Doors<T> {
  readonly fromJSON: (json: unknown) => T;
  /** The loose door. */
  readonly from: (json: never) => T;
}

/** A value comes back equal through every door, prints the same again, and is frozen. */
function survives<T extends Equatable & { toJSON(): unknown }>(value: T, { fromJSON, from }: Doors<T>): void {
  const text = JSON.stringify(value);
  const json: unknown = JSON.parse(text);
  for (const back of [fromJSON(json), fromJSON(value.toJSON()), from(json as never), from(value.toJSON() as never)]) {
    expect(JSON.stringify(back)).toBe(text);
    expectEqual(back, value);
    expectFrozen(back);
  }
}

describe('JSON brings back, through both doors,', () => {
  it.prop([any.part])('a content part', (value) => survives(value, ContentPart));
  it.prop([fc.array(any.part)])('content parts', (parts) => survives(ContentParts.of(...parts), ContentParts));
  it.prop([any.content])('content', (value) => survives(value, Content));
  it.prop([any.metadata])('metadata', (value) => survives(value, Metadata));
  it.prop([any.toolCall])('a tool call', (value) => survives(value, ToolCall));
  it.prop([any.toolCalls])('tool calls', (value) => survives(value, ToolCalls));
  it.prop([any.toolResult])('a tool result', (value) => survives(value, ToolResult));
  it.prop([any.message])('a message', (value) => survives(value, Message));
  it.prop([any.messages])('messages', (value) => survives(value, Messages));
  it.prop([any.section])('a section', (value) => survives(value, Section));
  it.prop([any.sections])('sections', (value) => survives(value, Sections));
  it.prop([any.store])('a store', (value) => survives(value, MessageStore));
});

describe('the fast door', () => {
  it.prop([any.store])('brings back a store from its text', (store) => {
    const text = JSON.stringify(store);
    const back = MessageStore.parse(text);
    expect(JSON.stringify(back)).toBe(text);
    expectEqual(back, store);
    expectFrozen(back);
  });

  it.prop([any.store])('reads what the careful door reads', (store) => {
    const text = JSON.stringify(store);
    expectEqual(MessageStore.parse(text), MessageStore.fromJSON(JSON.parse(text)));
  });
});
