/**
 * The conversation part of Anthropic's Messages, spelled as on the wire. Checked against the types of the
 * `@anthropic-ai/sdk` package (resources/messages) by test. Blocks that are replayed as they came are not listed.
 */

/** The conversation part of a Messages request. */
export interface AnthropicPayload {
  /** The instructions; absent where there are none. */
  system?: string | AnthropicTextBlock[];
  messages: AnthropicMessage[];
}

/** One message of the list. */
export type AnthropicMessage = AnthropicUserMessage | AnthropicAssistantMessage | AnthropicSystemMessage;

/** What the user says, and before it the answers to the calls of the message before. */
export interface AnthropicUserMessage {
  role: 'user';
  content: string | AnthropicUserBlock[];
}

/** What the model said. */
export interface AnthropicAssistantMessage {
  role: 'assistant';
  content: string | AnthropicAssistantBlock[];
}

/** Instructions in the middle; newer models only, at some places only. */
export interface AnthropicSystemMessage {
  role: 'system';
  content: string | AnthropicTextBlock[];
}

/** What a user message may hold. */
export type AnthropicUserBlock =
  | AnthropicTextBlock
  | AnthropicImageBlock
  | AnthropicDocumentBlock
  | AnthropicToolResultBlock;

/** What an assistant message may hold. */
export type AnthropicAssistantBlock =
  | AnthropicTextBlock
  | AnthropicThinkingBlock
  | AnthropicRedactedThinkingBlock
  | AnthropicToolUseBlock;

/** Any block. */
export type AnthropicBlock = AnthropicUserBlock | AnthropicAssistantBlock;

/** Where the provider's prompt cache may end: at most four times in a request. */
export interface AnthropicCacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

/** Text; never empty. */
export interface AnthropicTextBlock {
  type: 'text';
  text: string;
  citations?: AnthropicCitation[] | null;
  cache_control?: AnthropicCacheControl | null;
}

/** Where a text is taken from. */
export type AnthropicCitation =
  | AnthropicCharCitation
  | AnthropicPageCitation
  | AnthropicBlockCitation
  | AnthropicWebCitation
  | AnthropicSearchCitation;

/** A place in a plain text. */
export interface AnthropicCharCitation {
  type: 'char_location';
  cited_text: string;
  document_index: number;
  document_title: string | null;
  start_char_index: number;
  end_char_index: number;
}

/** Pages of a PDF. */
export interface AnthropicPageCitation {
  type: 'page_location';
  cited_text: string;
  document_index: number;
  document_title: string | null;
  start_page_number: number;
  end_page_number: number;
}

/** Blocks of a document. */
export interface AnthropicBlockCitation {
  type: 'content_block_location';
  cited_text: string;
  document_index: number;
  document_title: string | null;
  start_block_index: number;
  end_block_index: number;
}

/** A page of the web. */
export interface AnthropicWebCitation {
  type: 'web_search_result_location';
  cited_text: string;
  encrypted_index: string;
  title: string | null;
  url: string;
}

/** A result of a search. */
export interface AnthropicSearchCitation {
  type: 'search_result_location';
  cited_text: string;
  search_result_index: number;
  source: string;
  start_block_index: number;
  end_block_index: number;
  title: string | null;
}

/** An image; user messages and tool results only. */
export interface AnthropicImageBlock {
  type: 'image';
  source: AnthropicImageSource;
  cache_control?: AnthropicCacheControl | null;
}

/** An image as bare base64, by URL, or by the id of an uploaded file. */
export type AnthropicImageSource =
  | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

/** A document; user messages and tool results only. */
export interface AnthropicDocumentBlock {
  type: 'document';
  source: AnthropicDocumentSource;
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
  cache_control?: AnthropicCacheControl | null;
}

/** A PDF as bare base64 or by URL, a plain text, or an uploaded file. */
export type AnthropicDocumentSource =
  | { type: 'base64'; media_type: 'application/pdf'; data: string }
  | { type: 'text'; media_type: 'text/plain'; data: string }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

/** What the model thought, with the provider's proof of it. The text may be empty. */
export interface AnthropicThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

/** What the model thought, unreadable. */
export interface AnthropicRedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

/** A call of a tool. The input is an object. */
export interface AnthropicToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  cache_control?: AnthropicCacheControl | null;
}

/** The answer to a call. */
export interface AnthropicToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | AnthropicResultBlock[];
  is_error?: boolean;
  cache_control?: AnthropicCacheControl | null;
}

/** What a tool may answer with. */
export type AnthropicResultBlock = AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock;

/** An event of a stream, as far as it is read. */
export interface AnthropicStreamEvent {
  readonly type: string;
  /** The place of a block. */
  readonly index?: number;
  readonly message?: object;
  readonly content_block?: object;
  readonly delta?: object;
  readonly usage?: object | null;
  readonly error?: object;
}

/** The definition of a tool. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [key: string]: unknown };
}

/** Which tools may be called; `any`: at least one. */
export type AnthropicToolChoice = { type: 'auto' | 'any' | 'none' } | { type: 'tool'; name: string };
