import { reject } from '../errors.ts';
import { Content, type ContentInput } from '../model/content.ts';
import { Message } from '../model/message.ts';
import { Messages } from '../model/messages.ts';
import { ToolCall, type ToolCallInput } from '../model/tool-call.ts';
import { isRecord } from '../schema/json.ts';
import { callId, FreeIds } from './call-id.ts';
import { isNamed } from './call-name.ts';
import { listed, placePath, TurnError } from './turn-error.ts';

/** What a model said in one turn: its message, ours or as a client gives it, its text and calls, or its text alone. */
export type AssistantTurn = Message | ClientMessage | AssistantTurnFields | string;

/** A message as providers' clients give it, in our form or OpenAI's: it has a `role`, or `tool_calls`. */
export interface ClientMessage {
  readonly role?: string | undefined;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

/** The text and calls of one model turn. */
export interface AssistantTurnFields {
  /** Default `''`. */
  readonly content?: ContentInput;
  /** Nothing or an empty list means no calls. A call without an id gets one. */
  readonly toolCalls?: readonly ToolCallInput[] | null | undefined;
  /** What becomes of a call that cannot be read, or has no name: an error (default), or it is left out. */
  readonly onMalformedCall?: 'throw' | 'skip' | undefined;
}

/** Where a turn is to stand. */
interface Place {
  readonly section: string;
  readonly index: number;
  /** The number of the turn among those with calls, from 1. Costs a walk, so it is asked only where an id is missing. */
  readonly turn: () => number;
}

/**
 * One assistant message of all that a model said in a turn.
 *
 * @throws TurnError where a call has a blank or repeated id, or no name
 */
export function assistantMessage(turn: AssistantTurn, place: Place): Message {
  const given = readTurn(turn, place);
  if (given instanceof Message) return ofMessage(given, place);
  const { content, toolCalls, onMalformedCall = 'throw' } = given;
  const calls = readCalls(toolCalls ?? [], onMalformedCall, place);
  const said = Content.from(content ?? '', `${placePath(place)}.content`);
  return Message.of({ role: 'assistant', content: said, toolCalls: checked(calls, place) });
}

/**
 * What a model said, as a message of the assistant or as its text and calls.
 *
 * @throws InvalidInputError where it is neither
 */
export function readTurn(turn: AssistantTurn, place: Omit<Place, 'turn'>): Message | AssistantTurnFields {
  const path = placePath(place);
  if (typeof turn === 'string') return { content: turn };
  if (!isRecord(turn) || turn instanceof Messages) return reject(path, TURN_EXPECTED, turn);
  if ('choices' in turn) return reject(path, `${TURN_EXPECTED}: of a whole response that is choices[0].message`, turn);
  if (isMessageLike(turn)) return readMessage(turn, path);
  return isFields(turn) ? turn : reject(path, TURN_EXPECTED, turn);
}

const TURN_EXPECTED = 'a message, or { content, toolCalls }';
const FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set(['content', 'toolCalls', 'onMalformedCall', 'role']);

function isMessageLike(turn: object): turn is Message | ClientMessage {
  return turn instanceof Message || 'tool_calls' in turn || ('role' in turn && !('toolCalls' in turn));
}

function readMessage(turn: Message | ClientMessage, path: string): Message {
  if (((turn as Readonly<Record<string, unknown>>)['function_call'] ?? null) !== null)
    reject(`${path}.function_call`, 'tool_calls, which took its place', turn);
  return Message.from(turn, 'assistant', undefined, path);
}

/** Whether all that an object says stands where it is looked for. */
function isFields(turn: object): turn is AssistantTurnFields {
  const { toolCalls } = turn as AssistantTurnFields;
  const isKnown = Object.keys(turn).every((key) => FIELDS.has(key));
  return isKnown && (Array.isArray(toolCalls) || (toolCalls ?? null) === null);
}

function ofMessage(message: Message, place: Place): Message {
  const calls = message.toolCalls.map((call, at) => named(call, at, place));
  const assistant = message.withRole('assistant');
  return calls.length > 0 ? assistant.withToolCalls(checked(calls, place)) : assistant;
}

function readCalls(inputs: readonly ToolCallInput[], mode: 'throw' | 'skip', place: Place): ToolCall[] {
  const calls: ToolCall[] = [];
  inputs.forEach((input, at) => {
    try {
      calls.push(readCall(input, at, place));
    } catch (cause) {
      if (mode === 'throw') throw cause;
    }
  });
  return calls;
}

function readCall(input: ToolCallInput, at: number, place: Place): ToolCall {
  const call = ToolCall.from(input, `${placePath(place)}.toolCalls[${at}]`);
  const { id } = input as { readonly id?: unknown };
  if (typeof id === 'string' && id.trim() === '')
    throw new TurnError(
      'empty_tool_call_id',
      `the tool call ${at} (${call.name}) has a blank id. Leave the id out to have one made.`,
      { ...place, callIndex: at },
    );
  return named(call, at, place);
}

/** The call, which has a name. */
function named(call: ToolCall, at: number, place: Place): ToolCall {
  if (isNamed(call)) return call;
  throw new TurnError('empty_tool_name', `the tool call ${at} has no name. Say which tool it calls.`, {
    ...place,
    callIndex: at,
  });
}

/** The calls with an id each, which no other of the turn has. */
function checked(calls: readonly ToolCall[], place: Place): ToolCall[] {
  const given = new Set<string>();
  for (const id of calls.map(callId)) {
    if (id === '') continue;
    if (given.has(id))
      throw new TurnError(
        'duplicate_tool_call_id',
        `two calls of one turn have the id ${listed([id])}. Give each its own id.`,
        { ...place, ids: [id] },
      );
    given.add(id);
  }
  if (given.size === calls.length) return [...calls];
  const ids = new FreeIds(given);
  const turn = place.turn();
  return calls.map((call, at) => (callId(call) === '' ? call.withId(ids.first(`tc_${turn}_${at}`)) : call));
}
