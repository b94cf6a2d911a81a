import { fc, it } from '@fast-check/vitest';
import { type Block, Message, Messages } from 'message-store';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { expectEqual, expectFrozen } from '../../support/model-values.ts';

const any = arbitraries(fc);

describe('merging sections', () => {
  it.prop([any.sections, any.sections, any.sections])('is associative', (a, b, c) => {
    expectEqual(a.merge(b).merge(c), a.merge(b.merge(c)));
  });

  it.prop([any.store, any.store, any.store])('and stores, too', (a, b, c) => {
    expectEqual(a.merge(b).merge(c), a.merge(b.merge(c)));
  });

  it.prop([any.store, any.store])('keeps every message of both, in order', (a, b) => {
    const merged = a.merge(b);
    for (const name of merged.sections.names()) {
      expect([...merged.section(name).messages()]).toEqual([
        ...a.section(name).messages(),
        ...b.section(name).messages(),
      ]);
    }
  });
});

/** The parts that say something and the calls of messages in true order, as JSON; a call without an id has no fixed place. */
function spoken(messages: Messages): unknown[] {
  return messages.map((message) => [...message.blocks()].filter(speaks).map(blockJSON)).flat();
}

function speaks(block: Block): boolean {
  return block.type === 'tool_call' || !block.part.isEmpty();
}

function blockJSON(block: Block): unknown {
  return block.type === 'tool_call' ? block.call.toJSON() : block.part.toJSON();
}

const calls = (messages: Messages): unknown[] => messages.map((message) => message.toolCalls.toJSON()).flat();
const results = (messages: Messages): unknown[] =>
  messages.map(({ toolResult }) => toolResult?.toJSON()).filter((result) => result !== undefined);

/** Messages in which every call has an id, so that its place can be marked. */
const withCallIds = any.messages.filter((messages) =>
  messages
    .map(({ toolCalls }) => [...toolCalls])
    .flat()
    .every(({ id }) => id !== undefined),
);

describe('toMergedPerRole', () => {
  it.prop([any.messages, fc.boolean()])('merges once and for all', (messages, splitOnName) => {
    const merged = messages.toMergedPerRole({ splitOnName });
    expect(merged.toMergedPerRole({ splitOnName })).toBe(merged);
    expectFrozen(merged);
  });

  it.prop([withCallIds, fc.boolean()])(
    'keeps every part that says something and every call, in true order',
    (messages, splitOnName) => {
      expect(spoken(messages.toMergedPerRole({ splitOnName }))).toEqual(spoken(messages));
    },
  );

  it.prop([any.messages])('keeps every call, with and without an id, and every result', (messages) => {
    const merged = messages.toMergedPerRole();
    expect(new Set(calls(merged).map((call) => JSON.stringify(call)))).toEqual(
      new Set(calls(messages).map((call) => JSON.stringify(call))),
    );
    expect(calls(merged)).toHaveLength(calls(messages).length);
    expect(results(merged)).toEqual(results(messages));
  });

  it.prop([any.messages])('leaves no neighbours that could be joined', (messages) => {
    const merged = [...messages.toMergedPerRole()];
    const joinable = merged.filter((message, at) => {
      const next = merged[at + 1];
      return next?.role === message.role && !isApart(message) && !isApart(next);
    });
    expect(messages.isEmpty() ? [] : joinable).toEqual([]);
  });

  it.prop([any.messages])('gives messages that are not merged as the same instances', (messages) => {
    const before = [...messages];
    const merged = [...messages.toMergedPerRole()];
    const lone = before.filter((message, at) =>
      [before[at - 1], before[at + 1]].every((other) => other?.role !== message.role),
    );
    expect(lone.every((message) => merged.includes(message))).toBe(true);
  });

  it.prop([any.messages])('is itself when nothing merges', (messages) => {
    const merged = messages.toMergedPerRole();
    expect(merged === messages).toBe(merged.size === messages.size);
  });

  it.prop([any.messages])('keeps the identity, role and name of the first of a run', (messages) => {
    const identity = ({ id, timestamp, parentId, role, name }: Message) =>
      JSON.stringify([id, timestamp, parentId, role, name]);
    const before = messages.map(identity);
    expect(
      messages
        .toMergedPerRole()
        .map(identity)
        .filter((of) => !before.includes(of)),
    ).toEqual([]);
  });
});

/** Results and signed reasoning are never merged. */
function isApart(message: Message): boolean {
  return (
    message.hasToolResult() ||
    [...message.content.parts].some((part) => part.type === 'reasoning' && part.origin?.data !== undefined)
  );
}

describe('withMergedFrom', () => {
  it.prop([any.message, any.message])('is toMergedPerRole of two', (a, b) => {
    fc.pre(!isApart(a) && !isApart(b) && !(a.isEmpty() && b.isEmpty()));
    const [merged] = Messages.of(a, b.withRole(a.role)).toMergedPerRole();
    expectEqual(a.withMergedFrom(b), merged as Message);
  });

  it.prop([any.message])('of a message that says nothing gives the same', (message) => {
    fc.pre(!message.hasToolResult());
    const blank = Message.of({ origin: message.origin });
    const lean = message.withMergedFrom(blank);
    expect(lean.withMergedFrom(blank)).toBe(lean);
  });
});
