import type { Encoded, EncodeInput, EncodeOptions } from '../format.ts';
import { encodeWith } from '../encode-with.ts';
import { Request } from './request.ts';
import { buildRequest } from './request-builder.ts';
import type { AnthropicPayload } from './wire.ts';

/** Options of this format: what the model that is asked can take, where models differ. */
export interface AnthropicOptions extends EncodeOptions {
  /** The model that is asked: thinking that another one signed is left out. Default: all thinking of this provider goes back. */
  readonly model?: string;
  /** What becomes of reasoning that cannot go back as thinking: it is left out, or goes out as text. Default: it is left out. */
  readonly foreignReasoning?: 'drop' | 'text';
  /**
   * Whether instructions in the middle stay there, at the places where newer models take them, or join those at the
   * top. Default: those stay that were read from there.
   */
  readonly systemInMessages?: boolean;
  /** Whether the first message may be the assistant's; older models refuse that. Default: no, a user message is put first. */
  readonly assistantFirst?: boolean;
  /** Whether the last message may be the assistant's, which the model then continues; newer models refuse that. Default: yes. */
  readonly prefill?: boolean;
  /** How many cache marks may go out, of the four that a request may have: 0 to 4; tools count too. Default: 4. */
  readonly cacheMarks?: number;
}

/** The instructions and messages of a request. */
export function encode(input: EncodeInput, options: AnthropicOptions = {}): Encoded<AnthropicPayload> {
  return encodeWith(
    input,
    options,
    ({ messages, placeOf }, report) => buildRequest(messages, new Request(placeOf, report, options)),
    'cache_control',
  );
}
