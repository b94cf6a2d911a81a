import { anthropic } from '../formats/anthropic/index.ts';
import { bedrock } from '../formats/bedrock/index.ts';
import type { MessageFormat } from '../formats/format.ts';
import { gemini } from '../formats/gemini/index.ts';
import { mistral } from '../formats/mistral/index.ts';
import { ollama } from '../formats/ollama/index.ts';
import { openaiChat } from '../formats/openai-chat/index.ts';
import { openaiResponses } from '../formats/openai-responses/index.ts';

/** The formats that files are read from and written in. */
const FORMATS: readonly MessageFormat<unknown>[] = [
  openaiChat,
  openaiResponses,
  anthropic,
  bedrock,
  gemini,
  mistral,
  ollama,
];

/** Their names. */
export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

/** The format of a name; undefined where there is none. */
export function formatNamed(name: string | undefined): MessageFormat<unknown> | undefined {
  return FORMATS.find((format) => format.name === name);
}
