/**
 * The message list of Ollama's `/api/chat`, spelled as on the wire. Checked against the types of the `ollama` package
 * by test; what only the server knows (ids of calls, `index`, `tool_call_id`) follows its own types (ollama/ollama,
 * api/types.go).
 */
import type { JsonObject } from '../../schema/json.ts';

/** The conversation part of a chat request. */
export interface OllamaPayload {
  messages: OllamaMessage[];
}

/** One message of the list. */
export type OllamaMessage = InstructionMessage | UserMessage | AssistantMessage | ToolMessage;

/** Instructions. */
export interface InstructionMessage {
  role: 'system';
  content: string;
}

/** What the user says. */
export interface UserMessage {
  role: 'user';
  content: string;
  /** Base64 without a `data:` prefix. */
  images?: string[];
}

/** What the model said. */
export interface AssistantMessage {
  role: 'assistant';
  content: string;
  /** What it thought before that. */
  thinking?: string;
  tool_calls?: OllamaToolCall[];
}

/** The answer to one tool call: the next one of the turn, or that of its id. */
export interface ToolMessage {
  role: 'tool';
  content: string;
  tool_name?: string;
  /** Newer servers. */
  tool_call_id?: string;
}

/** One tool call. */
export interface OllamaToolCall {
  /** Newer servers. */
  id?: string;
  type?: string;
  function: {
    name: string;
    arguments: JsonObject;
    /** Its place among the calls of the turn; newer servers. */
    index?: number;
  };
}

/** A chunk of a stream, as far as it is read. */
export interface OllamaChunk {
  readonly message?: object;
  /** Whether it is the last one, which also tells why the response ended and what it cost. */
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly created_at?: unknown;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  /** Instead of all others, where the server fails in the middle. */
  readonly error?: unknown;
}

/** The definition of a tool. */
export interface OllamaTool {
  type: 'function';
  function: {
    name: string;
    description?: string;
    /** A JSON Schema. */
    parameters: { type: 'object'; properties?: { [key: string]: object }; required?: string[] };
  };
}
