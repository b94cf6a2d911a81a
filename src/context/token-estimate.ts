import { estimateText } from './estimate-text.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenCounter } from './token-counter.ts';

/**
 * About how many tokens texts and media are, without a tokenizer: fast, and rather too high than too low. The rates were
 * fitted to OpenAI's `o200k_base`, of which prose, code and JSON differ by a few percent; older encodings and other
 * vendors' need more for what is not English.
 *
 * Images are a fixed amount, audio and files go by their size: base64 is never read as prose. The numbers are those that
 * vendors publish: OpenAI 85 tokens and 170 for each tile of 512 pixels, Anthropic width × height / 750, Gemini 258 for
 * each tile of 768 pixels; a second of audio is 10 tokens at OpenAI and 32 at Gemini. A message costs 4 beside what it
 * says and a request 3, as OpenAI's cookbook counts them (3 and the role; the beginning of the reply).
 *
 * @example
 * tokenEstimate.text('The ferry leaves twice a day.') // => 7
 * tokenEstimate.media(ContentPart.imageUrl('https://example.com/ferry.png')) // => 1600
 */
export const tokenEstimate: TokenCounter = /* @__PURE__ */ Object.freeze({
  text: estimateText,
  media: (part) => mediaTokens(part, estimateText),
  perMessage: 4,
  perRequest: 3,
} satisfies TokenCounter);
