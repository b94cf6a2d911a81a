/**
 * The conversation part of OpenAI's Responses, spelled as on the wire. Checked against the types of the `openai`
 * package (resources/responses) by test. Items and parts that are replayed as they came are not listed.
 */

/** The conversation part of a Responses request. */
export interface OpenAIResponsesPayload {
  /** What the model is told first; absent where there is nothing. */
  instructions?: string;
  /** The items; a text where that is all there is, and it was read as one. */
  input: string | ResponsesItem[];
}

/** One item of the list. */
export type ResponsesItem =
  | ResponsesMessage
  | ResponsesOutputMessage
  | ResponsesFunctionCall
  | ResponsesFunctionCallOutput
  | ResponsesCustomToolCall
  | ResponsesCustomToolCallOutput
  | ResponsesReasoning;

/** Where the items of an answer stand: each may have been cut. */
export type ResponsesStatus = 'in_progress' | 'completed' | 'incomplete';

/** What a message of the assistant is: words on the way, or the answer. */
export type ResponsesPhase = 'commentary' | 'final_answer';

/** What is said; the assistant says text here. */
export interface ResponsesMessage {
  type?: 'message';
  role: 'user' | 'assistant' | 'system' | 'developer';
  content: string | ResponsesInputPart[];
  phase?: ResponsesPhase | null;
}

/** What the model said, as it was given out. */
export interface ResponsesOutputMessage {
  type: 'message';
  /** `msg_…`. What was not made by this provider goes out without one, which the API takes, whatever the SDK's type says. */
  id: string;
  role: 'assistant';
  status: ResponsesStatus;
  content: ResponsesOutputPart[];
  phase?: ResponsesPhase | null;
}

/** Where the provider's prompt cache may end. */
export interface ResponsesCacheBreakpoint {
  mode: 'explicit';
  ttl?: '30m' | '12h';
}

/** What a message or an answer may hold. */
export type ResponsesInputPart = ResponsesInputText | ResponsesInputImage | ResponsesInputFile;

/** Text. */
export interface ResponsesInputText {
  type: 'input_text';
  text: string;
  prompt_cache_breakpoint?: ResponsesCacheBreakpoint;
}

/** An image by URL, as a data URI, or by its id. */
export interface ResponsesInputImage {
  type: 'input_image';
  detail: 'auto' | 'low' | 'high' | 'original';
  image_url?: string;
  file_id?: string;
  prompt_cache_breakpoint?: ResponsesCacheBreakpoint;
}

/** A file as a data URI, which needs a name, by URL, or by its id. */
export interface ResponsesInputFile {
  type: 'input_file';
  file_data?: string;
  file_url?: string;
  file_id?: string;
  filename?: string;
  detail?: 'auto' | 'low' | 'high';
  prompt_cache_breakpoint?: ResponsesCacheBreakpoint;
}

/** What the model may say. */
export type ResponsesOutputPart = ResponsesOutputText | ResponsesRefusal;

/** Text of the model. */
export interface ResponsesOutputText {
  type: 'output_text';
  text: string;
  annotations: ResponsesAnnotation[];
}

/** Where a text is taken from, or what was made with it. */
export type ResponsesAnnotation =
  | { type: 'url_citation'; url: string; title: string; start_index: number; end_index: number }
  | { type: 'file_citation'; file_id: string; filename: string; index: number }
  | { type: 'file_path'; file_id: string; index: number }
  | {
      type: 'container_file_citation';
      container_id: string;
      file_id: string;
      filename: string;
      start_index: number;
      end_index: number;
    };

/** What the model says where it refuses. */
export interface ResponsesRefusal {
  type: 'refusal';
  refusal: string;
}

/** A call of a function. */
export interface ResponsesFunctionCall {
  type: 'function_call';
  call_id: string;
  name: string;
  /** JSON text. */
  arguments: string;
  /** `fc_…` */
  id?: string;
  status?: ResponsesStatus;
}

/** The answer to a call of a function. */
export interface ResponsesFunctionCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string | ResponsesInputPart[];
  id?: string;
  status?: ResponsesStatus;
}

/** A call of a custom tool. */
export interface ResponsesCustomToolCall {
  type: 'custom_tool_call';
  call_id: string;
  name: string;
  /** Free text. */
  input: string;
  /** `ctc_…` */
  id?: string;
}

/** The answer to a call of a custom tool. */
export interface ResponsesCustomToolCallOutput {
  type: 'custom_tool_call_output';
  call_id: string;
  output: string | ResponsesInputPart[];
  id?: string;
}

/** What the model thought: a summary of it, and the provider's proof. */
export interface ResponsesReasoning {
  type: 'reasoning';
  /** `rs_…` */
  id: string;
  summary: { type: 'summary_text'; text: string }[];
  content?: { type: 'reasoning_text'; text: string }[];
  encrypted_content?: string | null;
  status?: ResponsesStatus;
}

/** An event of a stream, as far as it is read. */
export interface ResponsesStreamEvent {
  readonly type: string;
  /** The whole response, at its beginning and end. */
  readonly response?: object;
  /** An item, and where it stands. */
  readonly item?: object;
  readonly item_id?: string;
  readonly output_index?: number;
  /** A part of an item, and where it stands. */
  readonly part?: object;
  readonly content_index?: number;
  readonly summary_index?: number;
  /** A piece of a text. */
  readonly delta?: unknown;
  /** The text when it is whole. */
  readonly text?: string;
  readonly refusal?: string;
  readonly arguments?: string;
  readonly input?: string;
  readonly annotation?: unknown;
  /** What is told of an error. */
  readonly code?: string | null;
  readonly message?: string;
}

/** The definition of a tool. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: { [key: string]: unknown };
  /** Whether the arguments have to fit the schema, which must be of the API's subset then. */
  strict: boolean;
}

/** Which tools may be called. */
export type ResponsesToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; name: string };
