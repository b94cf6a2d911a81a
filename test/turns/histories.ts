import { fc } from '@fast-check/vitest';
import { type Content, Message, Messages, ToolCall, ToolResult } from 'message-store';
import { arbitraries } from 'message-store/testing';

const any = arbitraries(fc);

/** What a generated history is built of: a message, or a turn with the answers of its calls. */
type Piece = readonly Message[];

/** Few ids, so that they repeat from turn to turn. */
const callIds = fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3', 'x#2', 'tc_1_0'), { minLength: 1, maxLength: 4 });

const said: fc.Arbitrary<Piece> = fc
  .record({ role: fc.constantFrom('user', 'assistant', 'system', 'developer'), content: any.text })
  .map((fields) => [Message.of(fields)]);

const turn: fc.Arbitrary<Piece> = fc
  .record({ content: any.content, ids: callIds, answers: fc.array(any.content, { minLength: 4, maxLength: 4 }) })
  .map(({ content, ids, answers }) => [
    Message.of({ role: 'assistant', content, toolCalls: ids.map((id) => ({ id, name: `tool_${id}` })) }),
    ...ids.map((id, at) => Message.toolResult(id, answers[at] as Content)),
  ]);

/** Histories in which every call is answered right behind it, in call order. */
export const wellFormed: fc.Arbitrary<Messages> = fc
  .array(fc.oneof(said, turn), { maxLength: 6 })
  .map((pieces) => Messages.of(...pieces.flat()));

/** The same, perhaps with the last answers still to come. */
export const wellFormedOrOpen: fc.Arbitrary<Messages> = fc
  .record({ messages: wellFormed, last: fc.option(turn), answered: fc.nat({ max: 4 }) })
  .map(({ messages, last, answered }) =>
    last === null ? messages : messages.appendMessages(last.slice(0, 1 + answered)),
  );

/** One turn whose answers come in any order, perhaps not all of them. */
export const disordered: fc.Arbitrary<Messages> = turn.chain(([asking, ...answers]) =>
  fc.shuffledSubarray(answers).map((some) => Messages.of(asking!, ...some)),
);

/** One thing that goes wrong with a stored history; numbers are taken modulo what is there. */
export interface Damage {
  readonly kind:
    | 'delete'
    | 'duplicate'
    | 'move'
    | 'clash'
    | 'truncate'
    | 'behead'
    | 'forget'
    | 'unname'
    | 'misplace'
    | 'cut'
    | 'fake';
  readonly at: number;
  readonly to: number;
}

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Damage['kind'][]>(
      'delete',
      'duplicate',
      'move',
      'move',
      'clash',
      'truncate',
      'behead',
      'forget',
      'unname',
      'misplace',
      'cut',
      'fake',
    ),
    at: fc.nat(),
    to: fc.nat(),
  }),
  { maxLength: 8 },
);

/** The history after all that went wrong with it. */
export function damaged(messages: Messages, list: readonly Damage[]): Messages {
  return Messages.of(...list.reduce<readonly Message[]>(damage, [...messages]));
}

function damage(list: readonly Message[], { kind, at: where, to }: Damage): readonly Message[] {
  if (list.length === 0) return list;
  const at = where % list.length;
  const one = list[at]!;
  switch (kind) {
    case 'delete':
      return list.toSpliced(at, 1);
    case 'duplicate':
      return list.toSpliced(to % (list.length + 1), 0, one);
    case 'move':
      return list.toSpliced(at, 1).toSpliced(to % list.length, 0, one);
    case 'truncate':
      return list.slice(0, at);
    case 'behead':
      return list.slice(at);
    case 'clash':
      return list.with(at, renamed(one, list[to % list.length]!));
    case 'forget':
      return list.with(at, withoutIds(one));
    case 'unname':
      return list.with(at, one.withToolCalls(one.toolCalls.map((call) => call.withName(''))));
    case 'misplace':
      return list.with(at, one.withRole((['user', 'assistant', 'system', 'tool'] as const)[to % 4]!));
    case 'cut':
      return list.with(at, Message.fromJSON({ ...one.toJSON(), incomplete: { reason: 'length' } }));
    case 'fake':
      return list.with(at, madeUp(one));
  }
}

/** With the first call id of another message in the place of all its own. */
function renamed(message: Message, { toolCalls, toolResult }: Message): Message {
  const id = toolCalls.first()?.idString() ?? toolResult?.callIdString() ?? 'c1';
  const calls = message.toolCalls.map((call) => call.withId(id));
  const result = message.toolResult && ToolResult.fromJSON({ ...message.toolResult.toJSON(), call_id: id || null });
  return message.withToolCalls(calls).withToolResult(result);
}

/** With a result that says that it was made up. */
function madeUp(message: Message): Message {
  const result = message.toolResult && ToolResult.fromJSON({ ...message.toolResult.toJSON(), synthetic: true });
  return message.withToolResult(result);
}

/** With blank call ids, as only stored JSON can have them, or with none at all. */
function withoutIds(message: Message): Message {
  const calls = message.toolCalls.map((call, at) =>
    at % 2 === 0 ? call.withId('') : ToolCall.fromJSON({ ...call.toJSON(), id: ' ' }),
  );
  return message.withToolCalls(calls).withToolResult(message.toolResult && ToolResult.of({ content: message.content }));
}
