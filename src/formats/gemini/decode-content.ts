import { reject } from '../../errors.ts';
import { now, timeText } from '../../internal/ids.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { isRecord, isText, NO_FIELDS } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import { rejectWire } from '../failure.ts';
import { wellFormed } from '../well-formed.ts';
import { decodePart, plainTextOf } from './decode-part.ts';
import { givenId, hasOwnId, madeId } from './function-call.ts';
import { decodeAnswer } from './function-response.ts';
import { type Fields, originOf } from './origin.ts';
import { Turn } from './turn.ts';

/** Reads contents, one after the other: an answer may only say by its name and its place which call it is to. */
export class ContentDecoder {
  readonly messages: Message[] = [];
  readonly repairs: Repair[] = [];
  readonly #time = now();
  /** The calls of the last turn that are not answered yet. */
  #asked: ToolCall[] = [];
  /** Whether the next content stands where the user has not spoken: behind one of the model, or first in a history. */
  #isUnasked: boolean;

  constructor(isHistory: boolean) {
    this.#isUnasked = isHistory;
  }

  /** Reads a content of a history, or one at a path of its own. `seed` makes ids where calls have none. */
  read(wire: unknown, seed: string | number, path?: string): void {
    const text = plainTextIn(wire);
    const role = isRecord(wire) ? wire['role'] : undefined;
    const isModel = role === 'model';
    const isApart = isModel && this.#isUnasked;
    this.#isUnasked = isModel;
    if (text === undefined || isApart) return this.#readParts(wire, seed, path ?? `contents[${seed}]`, isApart);
    this.#asked = [];
    this.#add({ role: isModel ? 'assistant' : 'user', content: Content.owning(text) });
  }

  #readParts(wire: unknown, seed: string | number, path: string, isApart: boolean): void {
    const { role, parts } = this.#contentOf(wire, path);
    if (role !== undefined && role !== 'model' && role !== 'user' && role !== 'function')
      reject(`${path}.role`, '"user" or "model"', role);
    const turn = new Turn();
    const shape = role === undefined ? { role: null } : NO_FIELDS;
    let isAnswer = false;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] as Fields;
      if (!isRecord(part['functionResponse'])) turn.add(part, `${seed}_${at}`);
      else {
        isAnswer = true;
        this.#answer(part, `${seed}_${at}`, shape);
      }
    }
    if (isAnswer && turn.isEmpty) return;
    const said = turn.said();
    this.#asked = [...said.toolCalls];
    const kept = { ...shape, joined: isAnswer || undefined, apart: (isApart && said.toolCalls.isEmpty()) || undefined };
    this.#add({ role: role === 'model' ? 'assistant' : 'user', ...said }, kept);
  }

  /** The instructions of a request, in one message before all others. */
  readInstructions(wire: unknown): void {
    const { role, parts } = this.#contentOf(wire, 'systemInstruction');
    this.#add({ role: 'system', content: Content.owningParts(parts.map(decodePart)) }, { role });
    this.messages.unshift(...this.messages.splice(-1));
  }

  /** A content that is one, its characters whole. */
  #contentOf(wire: unknown, path: string): { readonly role?: unknown; readonly parts: readonly Fields[] } {
    const content = wellFormed(wire, this.repairs, path);
    const { role, parts } = isRecord(content) ? content : NO_FIELDS;
    return Array.isArray(parts) && parts.every(isRecord)
      ? { role, parts }
      : rejectWire(path, content, 'an object with parts');
  }

  #add(said: Parameters<typeof Message.saying>[0], kept: Fields = NO_FIELDS): void {
    const origin = originOf(kept);
    this.messages.push(
      origin === undefined
        ? Message.saying(said, this.#time)
        : Message.of({ ...said, origin, createdAt: timeText(this.#time) }),
    );
  }

  #answer({ functionResponse, ...sides }: Fields, seed: string, shape: Fields): void {
    const { response, parts, id, name, ...others } = functionResponse as Fields;
    const given = isRecord(response) ? response : { output: response ?? '' };
    const { text, isError, isTold } = decodeAnswer(given);
    const media = Array.isArray(parts) ? parts.filter(isRecord).map(decodePart) : [];
    const said = text === '' ? media : [ContentPart.plain(text), ...media];
    const content = media.length > 0 ? Content.owningParts(said) : Content.owning(text);
    const own = givenId(id);
    const callId = this.#callOf(own, name)?.id ?? own ?? madeId(seed);
    const toolResult = ToolResult.of({ content, callId, toolName: name as string, isError });
    const part = originOf({ ...sides, functionResponse: others })?.data;
    const kept = { ...shape, response: isTold ? undefined : given, part };
    this.#add({ role: 'tool', content, toolResult }, kept);
  }

  /** The call that is answered: by its id, else the first of that name without one (`@google/genai`, FunctionResponse.id). */
  #callOf(id: string | undefined, name: unknown): ToolCall | undefined {
    const at = this.#asked.findIndex((call) => (hasOwnId(call) ? call.id === id : call.name === name));
    return at < 0 ? undefined : this.#asked.splice(at, 1)[0];
  }
}

/** The text of a content that says nothing else, as most do; undefined for any other. */
function plainTextIn(wire: unknown): string | undefined {
  const { role, parts } = isRecord(wire) ? wire : NO_FIELDS;
  if ((role !== 'user' && role !== 'model') || !Array.isArray(parts) || parts.length !== 1) return undefined;
  const text = isRecord(parts[0]) ? plainTextOf(parts[0]) : undefined;
  return isText(text) ? text : undefined;
}
