import { reject } from '../../errors.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isRecord } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { WireNames } from '../wire-names.ts';
import { decodePart } from './decode-part.ts';
import { decodeCall, givenId, hasOwnId } from './function-call.ts';
import { readAnswer } from './function-response.ts';
import { type Fields, originOf } from './origin.ts';

/** Reads contents, one after the other: an answer may only say by its name and its place which call it is to. */
export class ContentDecoder {
  /** The calls of the last turn that are not answered yet. */
  #asked: ToolCall[] = [];
  /** Whether the next content stands where the user has not spoken: behind one of the model, or first in a history. */
  #isUnasked: boolean;
  readonly #ids = new WireNames(
    () => false,
    (_seed, hash) => `gemini_${hash}`,
  );

  constructor(isHistory: boolean) {
    this.#isUnasked = isHistory;
  }

  /** The messages of one content: its answers, and what else is said in it. `seed` makes ids where calls have none. */
  read({ role, parts: wires }: WireContent, path: string, seed: string): Message[] {
    if (role !== undefined && role !== 'model' && role !== 'user' && role !== 'function')
      reject(`${path}.role`, '"user" or "model"', role);
    const parts = wires.map((wire, at) => [wire, `${seed}.${at}`] as const);
    const shape = role === undefined ? { role: null } : {};
    const messages = parts.flatMap(([wire, id]) => (isAnswer(wire) ? [this.#answer(wire, id, shape)] : []));
    const said = parts.filter(([wire]) => !isAnswer(wire));
    const apart = (role === 'model' && this.#isUnasked) || undefined;
    this.#isUnasked = role === 'model';
    if (said.length === 0 && messages.length > 0) return messages;
    const joined = messages.length > 0 || undefined;
    return [...messages, this.#turn(said, role === 'model', { ...shape, joined, apart })];
  }

  #turn(wires: readonly (readonly [Fields, string])[], isModel: boolean, { apart, ...kept }: Fields): Message {
    const content: ContentPart[] = [];
    const toolCalls: ToolCall[] = [];
    let marked = 0;
    for (const [wire, id] of wires) {
      const { functionCall, ...sides } = wire;
      if (isRecord(functionCall)) {
        toolCalls.push(decodeCall(functionCall, sides, this.#ids.of(id)));
        continue;
      }
      for (; marked < toolCalls.length; marked++)
        content.push(ContentPart.of('tool_call', { id: toolCalls[marked]?.id }));
      content.push(decodePart(wire));
    }
    this.#asked = [...toolCalls];
    const origin = originOf({ ...kept, ...(toolCalls.length === 0 && { apart }) });
    return Message.of({ role: isModel ? 'assistant' : 'user', content, toolCalls, origin });
  }

  #answer({ functionResponse, ...sides }: Fields, seed: string, shape: Fields): Message {
    const { content, isError, response, others } = readAnswer(functionResponse as Fields);
    const { id, name } = functionResponse as Fields;
    const own = givenId(id);
    const callId = this.#callOf(own, name)?.id ?? own ?? this.#ids.of(seed);
    const toolName = name as string;
    const origin = originOf({ ...shape, response, part: originOf({ ...sides, functionResponse: others })?.data });
    return Message.of({
      role: 'tool',
      toolResult: ToolResult.of({ content, callId, toolName, isError }),
      origin,
    });
  }

  /** The call that is answered: by its id, else the first of that name without one (`@google/genai`, FunctionResponse.id). */
  #callOf(id: string | undefined, name: unknown): ToolCall | undefined {
    const at = this.#asked.findIndex((call) => (hasOwnId(call) ? call.id === id : call.name === name));
    return at < 0 ? undefined : this.#asked.splice(at, 1)[0];
  }
}

function isAnswer(wire: Fields): boolean {
  return isRecord(wire['functionResponse']);
}

/** A content of the wire as far as it was looked at. */
export interface WireContent {
  readonly role?: unknown;
  readonly parts: readonly Fields[];
}

/** A content that is one, its characters whole. */
export function readContent(wire: unknown, repairs: Repair[], path: string): WireContent {
  const content = wellFormed(wire, repairs, path);
  const isContent = isRecord(content) && Array.isArray(content['parts']) && content['parts'].every(isRecord);
  return isContent ? (content as unknown as WireContent) : reject(path, 'an object with parts', content);
}
