import { mediaTokens } from '../../context/media-tokens.ts';
import type { TokenCounter } from '../../context/token-counter.ts';
import { tokenEstimate } from '../../context/token-estimate.ts';
import { MessageStoreError, reject } from '../../errors.ts';
import { oneOf } from '../../schema/explain.ts';
import { shortPieces } from './short-pieces.ts';

type CountText = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number;
type Load = () => Promise<{ readonly countTokens: CountText }>;

/** A way in which OpenAI's models cut text into tokens. */
export type GptEncoding = 'o200k_base' | 'o200k_harmony' | 'cl100k_base' | 'p50k_base' | 'p50k_edit' | 'r50k_base';

/** Each is loaded only where it is asked for: they are up to 2 MB large. */
const ENCODINGS: Readonly<Record<GptEncoding, Load>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  o200k_harmony: () => import('gpt-tokenizer/encoding/o200k_harmony'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
  p50k_base: () => import('gpt-tokenizer/encoding/p50k_base'),
  p50k_edit: () => import('gpt-tokenizer/encoding/p50k_edit'),
  r50k_base: () => import('gpt-tokenizer/encoding/r50k_base'),
};

/** Which tokens to count. */
export interface GptTokenizerOptions {
  /** Default: that of the model. */
  readonly encoding?: GptEncoding | undefined;
  /** The name of a model; of one that `gpt-tokenizer` does not know, the tokens of `o200k_base` are counted. */
  readonly model?: string | undefined;
}

/**
 * A counter that gives the exact tokens of texts for a model of OpenAI; media are estimated, as `tokenEstimate` does.
 * Special tokens in a text (`<|endoftext|>`) are counted as the text that they are.
 *
 * @throws MessageStoreError `missing_package` when the package `gpt-tokenizer` is not installed
 * @throws InvalidInputError when there is no such encoding
 * @example
 * const counter = await gptTokenizer({ model: 'gpt-5' });
 * counter.text('The ferry leaves twice a day.') // => 7
 */
export async function gptTokenizer({ encoding, model }: GptTokenizerOptions = {}): Promise<TokenCounter> {
  const load = loaderOf(encoding ?? (model === undefined ? 'o200k_base' : await encodingOf(model)));
  const { countTokens } = await loaded(load);
  const plain = { disallowedSpecial: new Set<string>() };
  const text = (words: string) => {
    let sum = 0;
    for (const piece of shortPieces(words)) sum += countTokens(piece, plain);
    return sum;
  };
  const { perMessage, perRequest = 0 } = tokenEstimate;
  return Object.freeze({
    text,
    media: (part) => mediaTokens(part, text),
    perMessage,
    perRequest,
  } satisfies TokenCounter);
}

function loaderOf(encoding: GptEncoding): Load {
  const isKnown = typeof encoding === 'string' && Object.hasOwn(ENCODINGS, encoding);
  return isKnown ? ENCODINGS[encoding] : reject('encoding', oneOf(Object.keys(ENCODINGS)), encoding);
}

/** `gpt2` is another name for `r50k_base`. */
async function encodingOf(model: string): Promise<GptEncoding> {
  const { modelToEncodingMap } = await loaded(() => import('gpt-tokenizer/mapping'));
  const known: Readonly<Record<string, GptEncoding | 'gpt2'>> = modelToEncodingMap;
  const encoding = Object.hasOwn(known, model) ? known[model] : undefined;
  return encoding === 'gpt2' ? 'r50k_base' : (encoding ?? 'o200k_base');
}

async function loaded<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw new MessageStoreError(
      'missing_package',
      'exact tokens are counted by the package gpt-tokenizer: npm install gpt-tokenizer',
      { cause: error },
    );
  }
}
