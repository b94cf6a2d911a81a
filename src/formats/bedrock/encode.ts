import { encodeWith } from '../encode-with.ts';
import type { Encoded, EncodeInput } from '../format.ts';
import type { BedrockOptions } from './options.ts';
import { Request } from './request.ts';
import type { BedrockPayload } from './wire.ts';

/** The instructions and messages of a request. */
export function encode(input: EncodeInput, options: BedrockOptions = {}): Encoded<BedrockPayload> {
  return encodeWith(
    input,
    options,
    ({ messages, placeOf }, report) => {
      const request = new Request(options, report, placeOf);
      messages.forEach((message, index) => request.add(message, index));
      return request.close();
    },
    'cache_control',
    countedFromZero,
  );
}

/** A path of an error, in which AWS may name the items of lists from one on: `messages.1.member`. */
function countedFromZero(path: string): string {
  return path.replaceAll(/(\d+)\.member\b/g, (_, number) => `${Number(number) - 1}`);
}
