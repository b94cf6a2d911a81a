import { reject } from '../errors.ts';
import { oneOf } from '../schema/explain.ts';

/** What kind of turn a message is, as its role and tool data say together. */
export type MessageType = 'text' | 'assistant_tool_calls' | 'tool_result';

const VALUES: readonly MessageType[] = /* @__PURE__ */ Object.freeze([
  'text',
  'assistant_tool_calls',
  'tool_result',
] as const);

/** The message types by name, and what can be asked of them. */
export const MessageType = /* @__PURE__ */ Object.freeze({
  /** A message of any role without tool data that fits the role. */
  Text: 'text',
  /** An assistant message with tool calls. */
  AssistantToolCalls: 'assistant_tool_calls',
  /** A tool message with a result. */
  ToolResult: 'tool_result',

  /** All message types, in their order of declaration. */
  values: VALUES,

  /**
   * The message type that a value is.
   *
   * @throws InvalidInputError when it is none
   */
  from(value: unknown): MessageType {
    return MessageType.tryFrom(value) ?? reject('type', oneOf(VALUES), value);
  },

  /** The message type that a value is; undefined when it is none. */
  tryFrom(value: unknown): MessageType | undefined {
    return VALUES.find((type) => type === value);
  },

  /** Whether two message types are the same. */
  is(type: MessageType, other: MessageType): boolean {
    return type === other;
  },
} as const);
