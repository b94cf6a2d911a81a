import { reject } from '../../errors.ts';
import { Message } from '../../model/message.ts';
import { Messages } from '../../model/messages.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { copyJsonObject, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import { wellFormed } from '../well-formed.ts';
import { decodeFrequent } from './decode-frequent.ts';
import { boundTo, decodeAnswer, decodeCall, decodeReasoning, decodeSaid } from './decode-item.ts';
import { decodeOutput, rawPart } from './decode-part.ts';
import { OpenTurn, type TurnContext } from './open-turn.ts';
import type { Kept } from './origin.ts';

/** What is known of items before they are read. */
export interface ReadContext extends TurnContext {
  readonly repairs: Repair[];
  /** The path of an item. */
  readonly pathOf: (at: number) => string;
  /** Whether nothing instructs before the items: a first system message has to stay among them then. */
  readonly isTop?: boolean;
}

const SAID = ['user', 'system', 'developer'] as const;

/** Reads items into messages: what the assistant thinks, says and calls between others is one message. */
export class ItemReader {
  readonly #context: ReadContext;
  readonly #messages: Message[] = [];
  readonly #places: number[] = [];
  #turn: OpenTurn | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Reads the item of a place as it was given. */
  add(item: unknown, at: number): void {
    const { time, repairs, pathOf, isTop } = this.#context;
    const read = at === 0 && isTop ? undefined : decodeFrequent(item, time);
    if (read instanceof Message) this.#push(read, at);
    else if (read instanceof ToolCall) this.#turnAt(at).call(read);
    else if (typeof read === 'string') this.#speakingAt(at, true).sayText(read);
    else {
      const sound = wellFormed(item, repairs, pathOf(at));
      this.read(isRecord(sound) ? copyJsonObject(sound, pathOf(at)) : reject(pathOf(at), 'an item', item), at);
    }
  }

  /** Reads an item that is known to be good, frozen, and nobody else's. */
  read(item: JsonObject, at: number): void {
    const { time, pathOf } = this.#context;
    const { type = 'role' in item ? 'message' : 'item_reference' } = item;
    const path = pathOf(at);
    switch (type) {
      case 'message':
        return this.#message(item, at, path);
      case 'function_call':
      case 'custom_tool_call': {
        const turn = this.#turnAt(at);
        return turn.call(decodeCall(item, path, turn.reasoning));
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#push(decodeAnswer(item, path, time), at);
      case 'reasoning':
        return this.#reasoning(item, at);
      default:
        return this.#turnAt(at).add(rawPart({ ...item, type }, path));
    }
  }

  /** All messages, and where the first item of each stands. */
  close(): { readonly messages: Messages; readonly places: readonly number[] } {
    this.#closeTurn();
    return { messages: Messages.owning(this.#messages), places: this.#places };
  }

  #push(message: Message, at: number): void {
    this.#closeTurn();
    this.#messages.push(message);
    this.#places.push(at);
  }

  #closeTurn(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn !== undefined) this.#push(turn.close(this.#context), turn.start);
  }

  #turnAt(at: number): OpenTurn {
    return (this.#turn ??= new OpenTurn(at));
  }

  /** The turn of a message: one without an id is not of the same answer as the message right before it. */
  #speakingAt(at: number, isAlone: boolean): OpenTurn {
    if (isAlone && this.#turn?.endsWithMessage) this.#closeTurn();
    return this.#turnAt(at);
  }

  #message(item: JsonObject, at: number, path: string): void {
    const { role: given } = item;
    if (given === 'assistant') return this.#assistant(item, at, path);
    const role = SAID.find((one) => one === given) ?? reject(`${path}.role`, 'a role', given, 'invalid_role');
    const { time, isTop } = this.#context;
    this.#push(decodeSaid(role, item, path, time, isTop && at === 0 && role === 'system'), at);
  }

  #assistant(item: JsonObject, at: number, path: string): void {
    const { role: _role, content, ...others } = item;
    const turn = this.#speakingAt(at, typeof others['id'] !== 'string');
    const kept = boundTo(others, turn.reasoning);
    if (typeof content === 'string') turn.sayText(content, kept && { ...kept, content: 'text' });
    else this.#list(content, kept ?? { item: others }, turn, item, path);
    turn.endsWithMessage = true;
  }

  /** A message of parts; as it is where one of them has no meaning here. */
  #list(content: JsonValue | undefined, kept: Kept, turn: OpenTurn, item: JsonObject, path: string): void {
    if (!Array.isArray(content))
      return reject(`${path}.content`, 'text, or a list of parts', content, 'missing_content');
    const parts = content.flatMap((part: JsonValue, at) => {
      const said = decodeOutput(this.#asOutput(part, `${path}.content[${at}]`), at > 0);
      return said === undefined ? [] : [said];
    });
    if (parts.length === 0 || parts.length < content.length) turn.add(rawPart({ ...item, type: 'message' }, path));
    else turn.say(parts, kept);
  }

  /** "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'." */
  #asOutput(part: JsonValue, path: string): JsonValue {
    if (!isRecord(part) || part['type'] !== 'input_text') return part;
    const message = 'the assistant has no input_text: it is read as output_text';
    this.#context.repairs.push({ path, rule: 'part-role', action: 'rewritten', message });
    return { ...part, type: 'output_text' };
  }

  #reasoning(item: JsonObject, at: number): void {
    const turn = this.#turnAt(at);
    turn.add(decodeReasoning(item, this.#context.model));
    const { id } = item;
    if (typeof id === 'string') turn.reasoning = id;
  }
}
