import { listToolCalls } from '../input/tool-call.ts';
import { copyList } from '../schema/copy-list.ts';
import { isToolCallJSON, type ToolCallJSON, toolCallSchema } from '../schema/tool-call.ts';
import { ArrayCollection } from './collection.ts';
import { ToolCall, type ToolCallFields, type ToolCallInput } from './tool-call.ts';

/** What can stand for tool calls: a list, one call, or a map from tool names to arguments. */
export type ToolCallsInput = ToolCalls | ToolCallInput | readonly ToolCallInput[];

/** An immutable list of tool calls. */
export class ToolCalls extends ArrayCollection<ToolCall> {
  private constructor(items: readonly ToolCall[]) {
    super(items);
  }

  static readonly #none = new ToolCalls([]);

  /** The shared empty list. */
  static empty(): ToolCalls {
    return ToolCalls.#none;
  }

  /** These calls. */
  static of(...calls: readonly ToolCall[]): ToolCalls {
    return ToolCalls.owning(calls);
  }

  /**
   * Calls from a list, one call, or a map from tool names to arguments; calls themselves are returned unchanged.
   *
   * @throws InvalidInputError naming the path
   */
  static from(input: ToolCallsInput, path = 'tool_calls'): ToolCalls {
    if (input instanceof ToolCalls) return input;
    if (input instanceof ToolCall) return ToolCalls.of(input);
    return ToolCalls.owning(
      listToolCalls(input, path).map(({ item, path: at }) => ToolCall.from(item as ToolCallInput, at)),
    );
  }

  /** What `mapper` makes of the items; null and undefined are left out. */
  static fromMapper<T>(items: Iterable<T>, mapper: (item: T) => ToolCall | null | undefined): ToolCalls {
    return ToolCalls.owning([...items].map(mapper).filter((call) => call !== null && call !== undefined));
  }

  /** Reads what `toJSON` wrote. */
  static fromJSON(json: unknown): ToolCalls {
    const items = copyList(json, 'a list of tool calls', isToolCallJSON, toolCallSchema);
    return ToolCalls.owningJSON(items);
  }

  /** @internal Over JSON that nobody else holds. */
  static owningJSON(json: readonly ToolCallJSON[]): ToolCalls {
    return ToolCalls.owning(json.map((item) => ToolCall.owning(item)));
  }

  /** @internal Over an array that nobody else holds. */
  static owning(calls: readonly ToolCall[]): ToolCalls {
    return calls.length === 0 ? ToolCalls.empty() : new ToolCalls(calls);
  }

  protected rebuild(calls: readonly ToolCall[]): this {
    return ToolCalls.owning(calls) as this;
  }

  /** The first call with this id; undefined when there is none. */
  getById(id: string): ToolCall | undefined {
    return this.items.find((call) => call.id === id);
  }

  /** Whether there is a call. */
  hasAny(): boolean {
    return this.size > 0;
  }

  /** Whether there is no call. */
  hasNone(): boolean {
    return this.size === 0;
  }

  /** Whether there is exactly one call. */
  hasSingle(): boolean {
    return this.size === 1;
  }

  /** Whether there is more than one call. */
  hasMany(): boolean {
    return this.size > 1;
  }

  /** With the calls of another list after these. */
  concat(calls: ToolCalls): ToolCalls {
    if (calls.isEmpty()) return this;
    return this.isEmpty() ? calls : ToolCalls.owning([...this.items, ...calls.items]);
  }

  /** With one call more, without an id. */
  withAddedToolCall(name: string, args: ToolCallFields['args'] = {}): ToolCalls {
    return ToolCalls.owning([...this.items, ToolCall.of({ name, args })]);
  }

  /** With other arguments for the last call (and the name, if it has none); on an empty list a call is added. */
  withLastToolCallUpdated(name: string, json: string): ToolCalls {
    const last = this.last();
    if (last === undefined) return this.withAddedToolCall(name, json);
    return ToolCalls.owning([...this.items.slice(0, -1), last.with({ name: last.name || name, args: json })]);
  }

  /** The calls as JSON, without loss. */
  toJSON(): ToolCallJSON[] {
    return this.map((call) => call.toJSON());
  }

  /** The calls as one reads them: `weather(city=Oslo) | time()`. */
  override toString(): string {
    return this.items.join(' | ');
  }
}
