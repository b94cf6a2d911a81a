import type { EncodeOptions, ToolList } from '../format.ts';

/** Options of this format: what the model that is asked can take, where models differ. */
export interface BedrockOptions extends EncodeOptions {
  /** What becomes of reasoning that cannot go back as such: it is left out, or goes out as text. Default: it is left out. */
  readonly foreignReasoning?: 'drop' | 'text';
  /**
   * What becomes of reasoning of this provider without a signature. Most models that give it refuse to get it back.
   * Default: it counts as foreign.
   */
  readonly unsignedReasoning?: 'foreign' | 'send';
  /**
   * Whether instructions in the middle stay there, at the places where newer models take them, or join those at the
   * top. Default: those stay that were read from there.
   */
  readonly systemInMessages?: boolean;
  /** Whether the last message may be the assistant's, which the model then continues; newer models refuse that. Default: yes. */
  readonly prefill?: boolean;
  /**
   * The ids of calls that the model takes: `'wide'` up to 64 letters, digits and `_.:-`; `'narrow'` the same without
   * `.` and `:`, for older models; `'nine'` exactly nine letters and digits, for Mistral's. Default: `'wide'`.
   */
  readonly callIds?: 'wide' | 'narrow' | 'nine';
  /**
   * The tools of the request, which go out in `toolConfig`. Default: none, or where calls go out, which the API takes
   * beside definitions only, made-up ones of the names that were called; each time that is told as a repair.
   */
  readonly tools?: ToolList;
  /** How many cache points may go out, of the four that a request may have; tools count too. Default: 4. */
  readonly cachePoints?: number;
}
