/**
 * The message list of OpenAI's Chat Completions, spelled as on the wire. Checked against the types of the
 * `openai` package (resources/chat/completions) by test.
 */

/** The conversation part of a Chat Completions request. */
export interface OpenAIChatPayload {
  messages: ChatMessage[];
}

/** One message of the list. */
export type ChatMessage = InstructionMessage | UserMessage | AssistantMessage | ToolMessage;

/** `system` or `developer`. */
export interface InstructionMessage {
  role: 'system' | 'developer';
  content: string | TextPart[];
  name?: string;
}

/** What the user says. */
export interface UserMessage {
  role: 'user';
  content: string | UserPart[];
  name?: string;
}

/** What the model said. */
export interface AssistantMessage {
  role: 'assistant';
  /** Null only where there is something else. */
  content: string | (TextPart | RefusalPart)[] | null;
  name?: string;
  refusal?: string | null;
  /** Speech of an earlier answer, by its id. */
  audio?: { id: string } | null;
  tool_calls?: ChatToolCall[];
}

/** The answer to one tool call. */
export interface ToolMessage {
  role: 'tool';
  content: string | TextPart[];
  tool_call_id: string;
}

/** Where the provider's prompt cache may end. */
export interface CacheBreakpoint {
  mode: 'explicit';
  ttl?: '30m' | '12h';
}

/** Text. */
export interface TextPart {
  type: 'text';
  text: string;
  prompt_cache_breakpoint?: CacheBreakpoint;
}

/** A refusal; assistant only. */
export interface RefusalPart {
  type: 'refusal';
  refusal: string;
}

/** An image by URL or data URI; user only. `detail: 'original'` goes out too: older versions of the openai package do not name it. */
export interface ImagePart {
  type: 'image_url';
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' };
  prompt_cache_breakpoint?: CacheBreakpoint;
}

/** Audio as bare base64; user only. */
export interface AudioPart {
  type: 'input_audio';
  input_audio: { data: string; format: 'wav' | 'mp3' };
  prompt_cache_breakpoint?: CacheBreakpoint;
}

/** A file by id or as a data URI; user only. */
export interface FilePart {
  type: 'file';
  file: { file_id?: string; file_data?: string; filename?: string };
  prompt_cache_breakpoint?: CacheBreakpoint;
}

/** What a user message may hold. */
export type UserPart = TextPart | ImagePart | AudioPart | FilePart;

/** Any content part. */
export type ChatPart = UserPart | RefusalPart;

/** One tool call. */
export type ChatToolCall = FunctionToolCall | CustomToolCall;

/** A call whose arguments are JSON text. */
export interface FunctionToolCall {
  id: string;
  type: 'function';
  /** The arguments are JSON text. */
  function: { name: string; arguments: string };
}

/** A call whose input is free text. */
export interface CustomToolCall {
  id: string;
  type: 'custom';
  custom: { name: string; input: string };
}

/** A chunk of a stream, as far as it is read. */
export interface ChatChunk {
  readonly choices?: readonly object[];
  readonly usage?: object | null;
}

/** The definition of a tool. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters: { [key: string]: unknown } };
}

/** Which tools may be called. */
export type ChatToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } };
