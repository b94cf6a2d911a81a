import { MessageStoreError, reject } from '../errors.ts';
import { parseJsonText } from '../internal/json-text.ts';
import { parsePartialJson } from '../internal/partial-json.ts';
import { preview } from '../internal/preview.ts';
import { readCallId } from '../input/ids.ts';
import { readArgs, readToolCall, type ToolCallRecord } from '../input/tool-call.ts';
import { explain } from '../schema/explain.ts';
import {
  copyJson,
  equalJson,
  freezeJson,
  isRecord,
  isSound,
  type JsonObject,
  type JsonValue,
  NO_FIELDS,
} from '../schema/json.ts';
import type { Origin } from '../schema/origin.ts';
import {
  isToolCallJSON,
  isToolCallKey,
  type ToolCallJSON,
  type ToolCallKind,
  toolCallSchema,
} from '../schema/tool-call.ts';
import { givenOrigin, ownExtra, ownOrigin } from './extra.ts';
import type { ToolCallId } from './ids.ts';

/** What can stand for a tool call: a call, or an object in our form or OpenAI's. */
export type ToolCallInput =
  | ToolCall
  | { readonly id?: unknown; readonly name?: unknown; readonly function?: unknown; readonly custom?: unknown }
  | Readonly<Record<string, unknown>>;

/** The fields of a tool call. */
export interface ToolCallFields {
  readonly name: string;
  /** An object, or JSON text (for a custom tool: its free text). Absent means no arguments. */
  readonly args?: Readonly<Record<string, unknown>> | string | undefined;
  readonly id?: string | undefined;
  /** Default `function`. */
  readonly kind?: ToolCallKind | undefined;
  readonly origin?: Origin | undefined;
}

const NONE = '(no-tool)';

type State = Omit<ToolCallRecord, 'args'>;

/** A model's request to run a tool. The text of its arguments is kept byte for byte, and parsed when it is asked for. */
export class ToolCall {
  /** `function`: the arguments are a JSON object. `custom`: they are free text. */
  readonly kind: ToolCallKind;
  /** What binds the call to its result; undefined where the provider gave none. */
  readonly id: ToolCallId | undefined;
  readonly name: string;
  /** The arguments as text, byte for byte as given. */
  readonly argsText: string;
  readonly origin: Origin | undefined;
  /** Fields of the stored call that have no meaning here. */
  readonly extra: JsonObject;
  #parsed: { readonly args: JsonObject | undefined } | undefined;

  private constructor(state: State, argsText: string, args?: JsonObject) {
    this.kind = state.kind;
    this.id = state.id as ToolCallId | undefined;
    this.name = state.name;
    this.argsText = argsText;
    this.origin = state.origin;
    this.extra = state.extra;
    if (args !== undefined) this.#parsed = { args };
    Object.freeze(this);
  }

  static readonly #none = ToolCall.#from({
    kind: 'function',
    id: undefined,
    name: NONE,
    args: NO_FIELDS,
    origin: undefined,
    extra: NO_FIELDS,
  });

  static #from(record: ToolCallRecord): ToolCall {
    const { kind, args } = record;
    if (typeof args !== 'string') {
      return new ToolCall(record, JSON.stringify(args), kind === 'function' ? args : undefined);
    }
    // A long text is not looked at: it may still arrive, and looking joins its pieces each time.
    const isBlank = kind === 'function' && args.length < 100 && args.trim() === '';
    return new ToolCall(record, isBlank ? '{}' : args);
  }

  /**
   * A call with these fields.
   *
   * @throws InvalidInputError
   */
  static of(fields: ToolCallFields): ToolCall {
    const { name, args, id, kind = 'function', origin } = fields;
    return ToolCall.#from({
      kind,
      id: readCallId(id),
      name: givenName(name),
      args: readArgs(args, 'arguments'),
      origin: givenOrigin(origin),
      extra: NO_FIELDS,
    });
  }

  /**
   * A call from an object in our form or OpenAI's; a call itself is returned unchanged.
   *
   * @throws InvalidInputError naming the path
   */
  static from(input: ToolCallInput, path = ''): ToolCall {
    if (input instanceof ToolCall) return input;
    return isRecord(input) ? ToolCall.#from(readToolCall(input, path)) : reject(path, 'a tool call', input);
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): ToolCall {
    const copied = copyJson(json);
    return isToolCallJSON(copied) ? ToolCall.owning(copied) : explain(toolCallSchema(), copied);
  }

  /** @internal Over JSON that nobody else holds. */
  static owning(json: ToolCallJSON): ToolCall {
    const { id, name, arguments: args, kind = 'function' } = json;
    return ToolCall.#from({
      kind,
      id: id ?? undefined,
      name,
      args: typeof args === 'string' ? args : freezeJson(args),
      origin: ownOrigin(json),
      extra: ownExtra(json, isToolCallKey),
    });
  }

  /** The shared stand-in for "a tool call is due but there is none": test it with {@link ToolCall.isNone}. */
  static none(): ToolCall {
    return ToolCall.#none;
  }

  /** Whether this is the stand-in for no call: see {@link ToolCall.none}. */
  isNone(): boolean {
    return this.name === NONE;
  }

  /** The id as text; `''` where there is none. */
  idString(): string {
    return this.id ?? '';
  }

  /**
   * The arguments, frozen.
   *
   * @throws MessageStoreError `malformed_arguments` when their text is no JSON object (always so for a custom
   * tool: read `argsText`)
   */
  get args(): JsonObject {
    return this.#parse() ?? this.#rejectArgs();
  }

  #parse(): JsonObject | undefined {
    return (this.#parsed ??= {
      args: this.kind === 'custom' ? undefined : objectIn(() => parseJsonText(this.argsText)),
    }).args;
  }

  #rejectArgs(): never {
    const expected =
      this.kind === 'custom' ? 'no JSON: the input of a custom tool is free text, read argsText' : 'a JSON object';
    throw new MessageStoreError(
      'malformed_arguments',
      `tool call ${this.name}${this.id === undefined ? '' : ` (${this.id})`}: arguments: expected ${expected}, got ${preview(this.argsText)}`,
      { path: 'arguments', value: this.argsText },
    );
  }

  /** Whether the arguments should be a JSON object and are not. */
  isMalformed(): boolean {
    return this.kind === 'function' && this.#parse() === undefined;
  }

  /** What the arguments hold so far, best effort: for showing a call while it streams, never for running it. */
  partialArgs(): JsonObject {
    if (this.kind === 'custom') return NO_FIELDS;
    return this.#parse() ?? objectIn(() => parsePartialJson(this.argsText)) ?? NO_FIELDS;
  }

  /** The arguments as JSON text: `{}` where there are none. */
  argsAsJson(): string {
    return this.argsText;
  }

  /** Whether there is any argument. */
  hasArgs(): boolean {
    return this.argsText !== '{}' && Object.keys(this.#parse() ?? { text: this.argsText }).length > 0;
  }

  /** Whether an argument is there and is not null. */
  hasValue(key: string): boolean {
    return this.value(key) !== undefined;
  }

  /** An argument; `fallback` when it is missing or null. */
  value(key: string): JsonValue | undefined;
  value<T>(key: string, fallback: T): JsonValue | T;
  value(key: string, fallback?: unknown): unknown {
    const { args } = this;
    return (Object.hasOwn(args, key) ? args[key] : undefined) ?? fallback;
  }

  /** With other fields; those that are not named stay. An empty `id` removes it. */
  with(changes: Partial<ToolCallFields>): ToolCall {
    const next = ToolCall.#from({
      kind: changes.kind ?? this.kind,
      id: 'id' in changes ? readCallId(changes.id) : this.id,
      name: changes.name === undefined ? this.name : givenName(changes.name),
      args: changes.args === undefined ? this.argsText : readArgs(changes.args, 'arguments'),
      origin: 'origin' in changes ? givenOrigin(changes.origin) : this.origin,
      extra: this.extra,
    });
    return next.equals(this) ? this : next;
  }

  /** With another id; `''` removes it. */
  withId(id: string): ToolCall {
    return this.with({ id });
  }

  /** With another name. */
  withName(name: string): ToolCall {
    return this.with({ name });
  }

  /** With other arguments: an object, or JSON text. */
  withArgs(args: Readonly<Record<string, unknown>> | string): ToolCall {
    return this.with({ args });
  }

  /** What `fromJSON` reads back: `arguments` is the object, or the text where that is not what the object would print. */
  toJSON(): ToolCallJSON {
    const args = this.#parse();
    return {
      ...this.extra,
      id: this.id ?? null,
      name: this.name,
      arguments: args !== undefined && JSON.stringify(args) === this.argsText ? args : this.argsText,
      ...(this.kind === 'custom' && { kind: 'custom' }),
      ...(this.origin && { _origin: this.origin }),
    };
  }

  /** The call as one reads it: `weather(city=Oslo, days=3)`. */
  toString(): string {
    const args = this.#parse();
    const text =
      args === undefined
        ? this.argsText
        : Object.entries(args)
            .map(([key, value]) => `${key}=${plain(value)}`)
            .join(', ');
    return `${this.name}(${text})`;
  }

  /** Whether both are the same call with the same text of arguments. */
  equals(other: ToolCall): boolean {
    return (
      this === other ||
      (this.kind === other.kind &&
        this.id === other.id &&
        this.name === other.name &&
        this.argsText === other.argsText &&
        equalJson(this.origin, other.origin) &&
        equalJson(this.extra, other.extra))
    );
  }
}

function givenName(name: unknown): string {
  return typeof name === 'string' ? (copyJson(name, 'name') as string) : reject('name', 'a string', name);
}

/** The JSON object that a text holds, frozen; undefined where it holds none, or one that no store could hold. */
function objectIn(parse: () => unknown): JsonObject | undefined {
  try {
    const value = parse();
    return isRecord(value) && isSound(value) ? freezeJson(value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
