/**
 * The message list of Mistral's chat completions, spelled as on the wire. Checked against the wire types of the
 * `@mistralai/mistralai` package (models/components) by test. Chunks that are replayed as they came are not listed.
 */

/** The conversation part of a chat completion request. */
export interface MistralPayload {
  messages: MistralMessage[];
}

/** One message of the list. */
export type MistralMessage = MistralSystemMessage | MistralUserMessage | MistralAssistantMessage | MistralToolMessage;

/** Instructions; never right behind the assistant or a tool. */
export interface MistralSystemMessage {
  role: 'system';
  content: string | (MistralTextChunk | MistralThinkingChunk)[];
}

/** What the user says. */
export interface MistralUserMessage {
  role: 'user';
  content: string | MistralChunk[] | null;
}

/** What the model said: content, calls, or both. */
export interface MistralAssistantMessage {
  role: 'assistant';
  content?: string | MistralChunk[] | null;
  tool_calls?: MistralToolCall[];
  /** Whether the model goes on from here; on the last message only. */
  prefix?: boolean;
}

/** The answer to one tool call. */
export interface MistralToolMessage {
  role: 'tool';
  content: string | MistralChunk[] | null;
  tool_call_id: string;
  name?: string;
}

/** A piece of content. */
export type MistralChunk =
  | MistralTextChunk
  | MistralImageChunk
  | MistralDocumentChunk
  | MistralFileChunk
  | MistralAudioChunk
  | MistralReferenceChunk
  | MistralThinkingChunk;

/** Text. */
export interface MistralTextChunk {
  type: 'text';
  text: string;
}

/** An image by its address, or as a `data:` URL. */
export interface MistralImageChunk {
  type: 'image_url';
  image_url: string | { url: string; detail?: 'low' | 'auto' | 'high' };
}

/** A document by its address, or as a `data:` URL. */
export interface MistralDocumentChunk {
  type: 'document_url';
  document_url: string;
  document_name?: string;
}

/** An uploaded file. */
export interface MistralFileChunk {
  type: 'file';
  file_id: string;
}

/** Audio as bare base64, or by its address. */
export interface MistralAudioChunk {
  type: 'input_audio';
  input_audio: string;
}

/** What a text refers to. Ids may also be texts: older versions of the `@mistralai/mistralai` package do not name them. */
export interface MistralReferenceChunk {
  type: 'reference';
  reference_ids: number[];
}

/** What the model thought. */
export interface MistralThinkingChunk {
  type: 'thinking';
  thinking: (MistralTextChunk | MistralReferenceChunk | MistralToolReferenceChunk)[];
  /** The provider's proof, for the way back. */
  signature?: string | null;
  /** Whether the thought came to its end. */
  closed?: boolean;
}

/** What a tool of the provider found. */
export interface MistralToolReferenceChunk {
  type: 'tool_reference';
  tool: string;
  title: string;
  url?: string | null;
  favicon?: string | null;
  description?: string | null;
}

/** One tool call. */
export interface MistralToolCall {
  /** Nine letters and digits; newer models take any text. */
  id: string;
  type?: 'function';
  /** Its place among the calls of the turn. */
  index?: number;
  /** The arguments are JSON text; an object is taken, too. */
  function: { name: string; arguments: string | { [key: string]: unknown } };
}

/** A chunk of a stream, as far as it is read; `@mistralai/mistralai` gives it as the data of an event. */
export interface MistralStreamEvent {
  readonly data?: object;
  readonly choices?: readonly object[];
  readonly model?: string;
  readonly usage?: object | null;
}

/** The definition of a tool. */
export interface MistralTool {
  type: 'function';
  function: { name: string; description?: string; parameters: { [key: string]: unknown } };
}

/** Which tools may be called. */
export type MistralToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } };
