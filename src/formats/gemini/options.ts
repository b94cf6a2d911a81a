import type { EncodeOptions } from '../format.ts';

/** Options of this format. The defaults are those of Gemini 3; older models and other surfaces differ. */
export interface GeminiOptions extends EncodeOptions {
  /**
   * Whether the model refuses a turn whose first call has no thought signature, as Gemini 3 does. `'required'`: calls
   * of other providers go out with the stand-in that Google documents for them, which is reported. Default: `'optional'`.
   */
  readonly signatures?: 'optional' | 'required';
  /** Which ids of calls are sent: those that came from Gemini, or all. Default: `'own'`. */
  readonly callIds?: 'own' | 'all';
  /**
   * Where images and files of an answer go: into the answer (Gemini 3), behind it (older models), or nowhere.
   * Default: `'parts'`.
   */
  readonly toolMedia?: 'parts' | 'siblings' | 'none';
  /** What becomes of images and files at addresses of the open web: newer models fetch them. Default: they are sent. */
  readonly urls?: 'send' | 'drop';
}
