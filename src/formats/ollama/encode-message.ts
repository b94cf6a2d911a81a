import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord, type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { OllamaOptions } from './encode.ts';
import { CALL_KEYS, FUNCTION_KEYS, MESSAGE_KEYS } from './keys.ts';
import { PartsEncoder, type Spoken } from './encode-parts.ts';
import { hadOf, isFromHere } from './origin.ts';
import type { OllamaMessage, OllamaToolCall, ToolMessage } from './wire.ts';

/** Numbers up to fifteen digits are exact. */
const LONG_NUMBERS = /\d{16,}/g;

/** Encodes one message, telling what it loses. */
export class MessageEncoder {
  readonly #message: Message;
  readonly #index: number;
  readonly #report: OpenReport;
  readonly #options: OllamaOptions;

  constructor(message: Message, index: number, report: OpenReport, options: OllamaOptions) {
    this.#message = message;
    this.#index = index;
    this.#report = report;
    this.#options = options;
  }

  /** The message as the wire has it, an answer with the call that it answers; undefined where nothing is left of it. */
  encode(answered: ToolCall | undefined): OllamaMessage | undefined {
    const { role, name, content, toolCalls } = this.#message;
    const spoken = this.#spoken(content.plainText);
    if (answered !== undefined) return this.#tool(spoken, answered);
    const isSilent = spoken.content === '' && Object.keys(spoken).length === 1 && toolCalls.size === 0;
    if (isSilent && content.plainText === undefined && !content.isEmpty())
      return this.#drop('', 'emptied-message', 'nothing of it is left');
    if (name !== '') this.#drop('.name', 'name', `messages carry no name on this wire: ${JSON.stringify(name)}`);
    if (role === 'developer') this.#lose('.role', 'developer-role', 'rewritten', 'the role goes out as "system"');
    return {
      role: role === 'developer' ? 'system' : role,
      ...spoken,
      ...(toolCalls.size > 0 && { tool_calls: toolCalls.map((call, at) => this.#call(call, at)) }),
      ...this.#extra(),
    };
  }

  #spoken(plainText: string | undefined): Spoken {
    if (plainText !== undefined) return { content: plainText };
    return new PartsEncoder(this.#message, this.#options, this.#lose.bind(this)).encode();
  }

  #extra(): JsonObject {
    const { extra, origin } = this.#message;
    return this.#sent(extra, origin, MESSAGE_KEYS, '', 'message-key');
  }

  #tool(spoken: Spoken, call: ToolCall): ToolMessage {
    const { toolResult, origin } = this.#message;
    const had = hadOf(origin);
    const toolName = 'tool_name' in had ? had['tool_name'] : this.#toolName(call);
    const isOwn = 'tool_call_id' in had ? had['tool_call_id'] !== null : this.#sendsId(call);
    const hasId = isOwn || this.#options.toolCallIds === 'all';
    if (toolResult?.isError() === true && !toolResult.synthetic) {
      const { status } = toolResult;
      this.#drop(
        '.toolResult.status',
        'error-flag',
        `messages carry no status on this wire: ${JSON.stringify(status)}`,
      );
    }
    return {
      role: 'tool',
      ...(typeof toolName === 'string' && { tool_name: toolName }),
      ...(hasId && { tool_call_id: call.idString() }),
      ...spoken,
      ...this.#extra(),
    };
  }

  /** The name of the call: with the order of the answers it is what links them on this wire. */
  #toolName(call: ToolCall): string {
    const { toolResult, name } = this.#message;
    const given = [toolResult?.toolName ?? '', name].find((one) => one !== '' && one !== call.name);
    if (given !== undefined) {
      const names = `${JSON.stringify(call.name)} goes out instead of ${JSON.stringify(given)}`;
      this.#lose('.name', 'tool-name', 'rewritten', `the name of its call ${names}`);
    }
    return call.name;
  }

  #call(call: ToolCall, at: number): OllamaToolCall {
    const place = `.toolCalls[${at}]`;
    const { type, index } = hadOf(call.origin);
    const sendsId = this.#sendsId(call);
    if (!sendsId && !isFromHere(call.origin)) this.#drop(`${place}.id`, 'call-id', 'calls are linked by their order');
    const bare = { name: call.name, arguments: this.#arguments(call, place) };
    const { outer, inner } = this.#callExtra(call, place);
    const wire = {
      ...(sendsId && { id: call.idString() }),
      ...(typeof type === 'string' && { type }),
      ...outer,
      function: { ...(typeof index === 'number' && { index }), ...inner, ...bare },
    };
    this.#report.made(wire, `messages[${this.#index}]${place}`);
    return wire;
  }

  /** The unknown keys of a call, and those of its `function`. */
  #callExtra(call: ToolCall, place: string): Readonly<Record<'outer' | 'inner', JsonObject>> {
    const { function: nested, ...others } = call.extra;
    const origin = call.origin ?? this.#message.origin;
    const [outer, inner] = isRecord(nested) ? [others, nested] : [call.extra, NO_FIELDS];
    return {
      outer: this.#sent(outer, origin, CALL_KEYS, place, 'tool-call-key'),
      inner: this.#sent(inner, origin, FUNCTION_KEYS, `${place}.function`, 'tool-call-key'),
    };
  }

  /** An object, whatever the model wrote: the server refuses anything else. */
  #arguments(call: ToolCall, place: string): JsonObject {
    if (call.kind === 'custom') {
      this.#lose(place, 'custom-tool', 'degraded', 'goes out as { input }');
      return { input: call.argsText };
    }
    if (!this.#report.takesArguments(call, `messages[${this.#index}]${place}`)) return {};
    if (losesDigits(call)) this.#lose(place, 'number-digits', 'degraded', 'a number has more digits than can be kept');
    return call.args;
  }

  /** Whether the id of a call goes out: one that this wire gave, or any where that is asked for. */
  #sendsId({ origin }: ToolCall): boolean {
    return this.#options.toolCallIds === 'all' || (isFromHere(origin) && hadOf(origin)['id'] !== null);
  }

  /** Unknown keys, as they go back to where they came from. */
  #sent(
    extra: JsonObject,
    origin: Origin | undefined,
    known: ReadonlySet<string>,
    at: string,
    rule: string,
  ): JsonObject {
    if (extra === NO_FIELDS) return extra;
    const sent: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(extra)) {
      if (key.startsWith('_')) continue;
      if (isFromHere(origin) && !known.has(key)) setOwn(sent, key, value);
      else if (isSaid(value))
        this.#drop(`${at}.${key}`, rule, `messages have no key ${JSON.stringify(key)} on this wire`);
    }
    return sent;
  }

  #drop(at: string, rule: string, message: string): undefined {
    this.#lose(at, rule, 'dropped', `${message}: left out`);
  }

  #lose(at: string, rule: string, action: Loss['action'], message: string): undefined {
    this.#report.lose(`messages[${this.#index}]${at}`, rule, action, message);
  }
}

/** Whether the text of the arguments has a long number that is rounded when it is read. */
function losesDigits({ argsText, args }: ToolCall): boolean {
  const long = longNumbers(argsText);
  return long !== '' && long !== longNumbers(JSON.stringify(args));
}

function longNumbers(text: string): string {
  return String(text.match(LONG_NUMBERS)?.toSorted() ?? '');
}

/** Whether an unknown key says something: null and an empty list do not. */
function isSaid(value: JsonValue): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
