/**
 * The conversation part of Bedrock's Converse, spelled as on the wire. Checked against the types of the
 * `@aws-sdk/client-bedrock-runtime` package by test. A block has exactly one key, which says what it is. Blocks that are
 * replayed as they came are not listed. `Bytes` is base64 text in the body of an HTTP request, and a Uint8Array in the
 * JavaScript client.
 */

/** The conversation part of a Converse request. */
export interface BedrockPayload<Bytes = string> {
  /** The instructions; absent where there are none. */
  system?: BedrockSystemBlock[];
  messages: BedrockMessage<Bytes>[];
  /** Absent where no tools are told of, and none were called. */
  toolConfig?: BedrockToolConfig;
}

/** One message of the list. User and assistant alternate. */
export interface BedrockMessage<Bytes = string> {
  role: 'user' | 'assistant' | 'system';
  /** At least one block. */
  content: BedrockBlock<Bytes>[];
}

/** What instructions may hold. */
export type BedrockSystemBlock = BedrockTextBlock | BedrockCachePointBlock;

/** What a message may hold. */
export type BedrockBlock<Bytes = string> =
  | BedrockTextBlock
  | BedrockImageBlock<Bytes>
  | BedrockDocumentBlock<Bytes>
  | BedrockVideoBlock<Bytes>
  | BedrockAudioBlock<Bytes>
  | BedrockReasoningBlock<Bytes>
  | BedrockToolUseBlock
  | BedrockToolResultBlock<Bytes>
  | BedrockCachePointBlock;

/** Text; never blank. */
export interface BedrockTextBlock {
  text: string;
}

/** Where the provider's prompt cache may end: right behind the block before it. */
export interface BedrockCachePointBlock {
  cachePoint: { type: 'default'; ttl?: '5m' | '1h' };
}

/** Data, or where they lie in S3. */
export type BedrockSource<Bytes = string> = { bytes: Bytes } | { s3Location: { uri: string; bucketOwner?: string } };

/** An image; of the user and of tools only. */
export interface BedrockImageBlock<Bytes = string> {
  image: { format: 'png' | 'jpeg' | 'gif' | 'webp'; source: BedrockSource<Bytes> };
}

/** A document; of the user and of tools only. In a message of the user a text has to stand with it. */
export interface BedrockDocumentBlock<Bytes = string> {
  document: {
    format?: 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md';
    /** Letters, digits, single spaces, hyphens, round and square brackets; once in a request. */
    name: string;
    source: BedrockSource<Bytes>;
    context?: string;
    citations?: { enabled: boolean };
  };
}

/** A video; of the user and of tools only. */
export interface BedrockVideoBlock<Bytes = string> {
  video: {
    format: 'mkv' | 'mov' | 'mp4' | 'webm' | 'flv' | 'mpeg' | 'mpg' | 'wmv' | 'three_gp';
    source: BedrockSource<Bytes>;
  };
}

/** Audio; of the user only. */
export interface BedrockAudioBlock<Bytes = string> {
  audio: {
    format:
      | 'mp3'
      | 'opus'
      | 'wav'
      | 'aac'
      | 'flac'
      | 'mp4'
      | 'ogg'
      | 'mkv'
      | 'mka'
      | 'x-aac'
      | 'm4a'
      | 'mpeg'
      | 'mpga'
      | 'pcm'
      | 'webm';
    source: BedrockSource<Bytes>;
  };
}

/** What the model thought, with the provider's proof of it; or unreadable. */
export interface BedrockReasoningBlock<Bytes = string> {
  reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: Bytes };
}

/** A call of a tool. The input is an object. */
export interface BedrockToolUseBlock {
  toolUse: { toolUseId: string; name: string; input: BedrockObject };
}

/** The answer to a call. */
export interface BedrockToolResultBlock<Bytes = string> {
  toolResult: { toolUseId: string; content: BedrockResultBlock<Bytes>[]; status?: 'success' | 'error' };
}

/** What a tool may answer with. */
export type BedrockResultBlock<Bytes = string> =
  | BedrockTextBlock
  | { json: BedrockObject }
  | BedrockImageBlock<Bytes>
  | BedrockDocumentBlock<Bytes>
  | BedrockVideoBlock<Bytes>;

/** The tools that a model is told of, at least one, and which it may call. */
export interface BedrockToolConfig {
  tools: BedrockTool[];
  toolChoice?: BedrockToolChoice;
}

/** The definition of a tool. */
export interface BedrockTool {
  toolSpec: { name: string; description?: string; inputSchema: { json: BedrockObject } };
}

/** Which tools may be called; `any`: at least one. There is no word for none. */
export type BedrockToolChoice = Record<'auto', object> | Record<'any', object> | { tool: { name: string } };

/** An event of a stream, as far as it is read. */
export interface BedrockStreamEvent {
  readonly messageStart?: object | undefined;
  readonly contentBlockStart?: object | undefined;
  readonly contentBlockDelta?: object | undefined;
  readonly contentBlockStop?: object | undefined;
  readonly messageStop?: object | undefined;
  readonly metadata?: object | undefined;
  readonly internalServerException?: object | undefined;
  readonly modelStreamErrorException?: object | undefined;
  readonly serviceUnavailableException?: object | undefined;
  readonly throttlingException?: object | undefined;
  readonly validationException?: object | undefined;
}

/** A JSON object. */
export interface BedrockObject {
  [key: string]: BedrockValue;
}

/** A JSON value. */
export type BedrockValue = null | boolean | number | string | BedrockValue[] | BedrockObject;
