import { fc, it } from '@fast-check/vitest';
import {
  Content,
  ContentPart,
  Message,
  Messages,
  MessageStore,
  Metadata,
  Section,
  ToolCall,
  ToolResult,
} from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { arbitraries } from 'message-store/testing';
import { describe, expect } from 'vitest';
import { deepFrozen, expectEqual, expectFrozen, scribbleOver } from '../../support/model-values.ts';

const any = arbitraries(fc);
const json = any.store.map((store) => JSON.parse(JSON.stringify(store)) as Record<string, unknown>);
const loose = fc.array(any.messageInput, { maxLength: 4 });

/** What a caller gives is neither changed nor kept: it may be frozen, and be changed afterwards. */
function copiesItsInput<Input, T extends { toJSON(): unknown }>(input: Input, read: (input: Input) => T): void {
  const before = structuredClone(input);
  const value = read(deepFrozen(structuredClone(input)));
  expectFrozen(value);
  const given = structuredClone(input);
  const kept = read(given);
  expect(given).toEqual(before);
  const text = JSON.stringify(kept);
  scribbleOver(given);
  expect(JSON.stringify(kept)).toBe(text);
}

describe('an input is copied by', () => {
  it.prop([json])('MessageStore.fromJSON', (input) => copiesItsInput(input, MessageStore.fromJSON));
  it.prop([json])('MessageStore.from', (input) => copiesItsInput(input, (given) => MessageStore.from(given)));
  it.prop([any.jsonObject])('Metadata.of', (input) => copiesItsInput(input, Metadata.of));
  it.prop([any.text, any.jsonObject])('ContentPart.of', (type, input) =>
    copiesItsInput(input, (given) => ContentPart.of(type, given)),
  );
  it.prop([any.jsonObject])('ToolCall.of', (args) =>
    copiesItsInput(args, (given) => ToolCall.of({ name: 'f', args: given })),
  );
  it.prop([any.origin])('ToolCall.with', (origin) =>
    copiesItsInput(origin, (given) => ToolCall.of({ name: 'f' }).with({ origin: given })),
  );
  it.prop([any.jsonObject])('withPolicy', (policy) =>
    copiesItsInput(policy, (given) => Section.empty('a').withPolicy(given)),
  );
  it.prop([any.jsonObject])('withMetadata', (value) =>
    copiesItsInput(value, (given) => Message.empty().withMetadata('key', given)),
  );
  it.prop([any.jsonObject])('a recipe', (value) =>
    copiesItsInput(value, (given) =>
      MessageStore.empty().update((draft) => {
        draft.parameters['key'] = given as never;
      }),
    ),
  );
  it.prop([any.jsonObject])('a recipe for metadata', (value) =>
    copiesItsInput(value, (given) =>
      Metadata.empty().update((draft) => {
        draft['key'] = given as never;
      }),
    ),
  );
  it.prop([any.jsonObject])('a patch', (value) =>
    copiesItsInput(value, (given) =>
      MessageStore.empty().applyPatches([{ op: 'add', path: ['parameters', 'key'], value: given }]),
    ),
  );
  it.prop([any.content.map((content) => content.toJSON())])('Content.from', (input) =>
    copiesItsInput(input, (given) => Content.from(given)),
  );
  it.prop([any.toolResult.map((result) => result.toJSON())])('ToolResult.from', (input) =>
    copiesItsInput(input as unknown as Record<string, unknown>, (given) => ToolResult.from(given)),
  );
});

describe('reading loose messages', () => {
  it.prop([loose])('leaves the input as it was', (input) => {
    const before = JSON.stringify(input);
    expectFrozen(Messages.from(deepFrozen(input)));
    expect(JSON.stringify(input)).toBe(before);
  });
});

describe('everything that can be reached', () => {
  it.prop([any.store])('from a store is frozen', (store) => {
    store.toMessages();
    expectFrozen(store);
    for (const message of store.toMessages()) {
      for (const block of message.blocks()) expectFrozen(block.type === 'part' ? block.part : block.call);
      for (const call of message.toolCalls) expectFrozen(call.partialArgs());
    }
  });

  it.prop([any.store])('by JSON may be scribbled over without a change to the store', (store) => {
    const text = JSON.stringify(store);
    scribbleOver(store.toJSON());
    scribbleOver(store.toFlatArray());
    scribbleOver(store.sections.names());
    scribbleOver(store.parameters().get().keys());
    scribbleOver(store.toMessages().map((message) => message.content.toExport()));
    scribbleOver(store.toMessages().map((message) => message.createdAt));
    expect(JSON.stringify(store)).toBe(text);
  });
});

describe('no verb changes its receiver:', () => {
  it.prop([any.store, any.store, any.message])(
    'the store is the same text before and after',
    (store, other, message) => {
      const text = JSON.stringify([store, other, message]);
      const name = store.sections.first()?.name ?? 'chat';
      const results = [
        store.merge(other),
        store.withoutEmpty(),
        store.removeSection(name),
        store.section(name).appendMessages(message),
        store.section(name).setMessages([message]),
        store.section(name).clear(),
        store.parameters().setParameter('key', 1),
        store.update((draft) => void draft.sections.splice(0, 1)),
        store.section(name).setSection(store.section(name).get().toMergedPerRole()),
      ];
      for (const messages of store.sections.map((section) => section.messages)) {
        results.push(
          ...[messages.reversed(), messages.prependMessages(message), messages.removeHead(), messages.removeTail()].map(
            (list) => MessageStore.fromMessages(list),
          ),
        );
      }
      openaiChat.encode(store, { openTurn: 'cancel' });
      expect(JSON.stringify([store, other, message])).toBe(text);
      results.forEach(expectFrozen);
      expectEqual(MessageStore.parse(JSON.stringify(store)), store);
    },
  );
});
