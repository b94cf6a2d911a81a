/**
 * Exact counts of texts for OpenAI's models, by the package `gpt-tokenizer`.
 *
 * @module
 */
export { gptTokenizer, type GptEncoding, type GptTokenizerOptions } from './gpt-tokenizer.ts';
