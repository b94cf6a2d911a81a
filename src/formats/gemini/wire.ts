/**
 * The conversation part of Gemini's generateContent, spelled as in the REST body. Checked against the types of the
 * `@google/genai` package by test.
 */

/** The conversation part of a generateContent request. */
export interface GeminiPayload {
  /** Text only. */
  systemInstruction?: GeminiContent;
  contents: GeminiContent[];
}

/** One turn. Without a role it is the user's. */
export interface GeminiContent {
  role?: 'user' | 'model';
  parts: GeminiPart[];
}

/** What stands beside the data of any part. */
export interface GeminiPartSides {
  /** Whether the part is what the model thought, not what it answered. */
  thought?: boolean;
  /** Has to come back on exactly the part that it came with. */
  thoughtSignature?: string;
}

/** A part: exactly one of these. Parts of a kind that has no type here are sent as they came. */
export type GeminiPart =
  | GeminiTextPart
  | GeminiInlineDataPart
  | GeminiFileDataPart
  | GeminiFunctionCallPart
  | GeminiFunctionResponsePart
  | GeminiServerPart;

/** Text. */
export interface GeminiTextPart extends GeminiPartSides {
  text: string;
}

/** Media as data. */
export interface GeminiInlineDataPart extends GeminiPartSides {
  inlineData: GeminiBlob;
}

/** Media by its address. */
export interface GeminiFileDataPart extends GeminiPartSides {
  fileData: GeminiFileData;
}

/** Bytes as bare base64. */
export interface GeminiBlob {
  mimeType: string;
  data: string;
  displayName?: string;
}

/** A file of the Files API, of Cloud Storage (`gs://`), of YouTube, or at any public address. */
export interface GeminiFileData {
  mimeType: string;
  fileUri: string;
  displayName?: string;
}

/** The call of a function. */
export interface GeminiFunctionCallPart extends GeminiPartSides {
  functionCall: GeminiFunctionCall;
}

/** Which function is called, and with what. */
export interface GeminiFunctionCall {
  /** Not given by every model. */
  id?: string;
  name: string;
  args?: { [key: string]: unknown };
}

/** The answer to a call. */
export interface GeminiFunctionResponsePart extends GeminiPartSides {
  functionResponse: GeminiFunctionResponse;
}

/** What a function answered. */
export interface GeminiFunctionResponse {
  /** The id of the call, where that has one; else the name and the order tell which call is answered. */
  id?: string;
  name: string;
  /** `{ output }`, `{ error }`, or any other object, which is then the output as a whole. */
  response: { [key: string]: unknown };
  /** Media of the answer; Gemini 3 and later. */
  parts?: GeminiFunctionResponseMedia[];
}

/** Media of an answer. */
export interface GeminiFunctionResponseMedia {
  inlineData?: GeminiBlob;
  fileData?: GeminiFileData;
}

/** What tools of Google's own did; it goes back as it came. */
export interface GeminiServerPart extends GeminiPartSides {
  executableCode?: object;
  codeExecutionResult?: object;
  toolCall?: object;
  toolResponse?: object;
}

/** A chunk of a stream, as far as it is read. */
export interface GeminiChunk {
  readonly candidates?: readonly object[];
  readonly promptFeedback?: object;
  readonly usageMetadata?: object;
  readonly responseId?: string;
}

/** The definitions of tools. */
export interface GeminiTool {
  functionDeclarations: GeminiFunctionDeclaration[];
}

/** The definition of a function. */
export interface GeminiFunctionDeclaration {
  name: string;
  description?: string;
  /** A JSON Schema; none for a function without arguments. */
  parametersJsonSchema?: { [key: string]: unknown };
}

/** Whether functions are called: as the model likes, at least one, or none. */
export type GeminiCallingMode = 'AUTO' | 'ANY' | 'NONE';

/** Which functions may be called. */
export interface GeminiToolConfig<Mode extends string = GeminiCallingMode> {
  functionCallingConfig: { mode: Mode; allowedFunctionNames?: string[] };
}
