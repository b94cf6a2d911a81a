import type { EncodeOptions } from '../format.ts';

/** Options of this format: what the model that is asked takes, where models differ. */
export interface MistralOptions extends EncodeOptions {
  /** Whether the model takes thinking; older ones refuse it, and what came from here is then like that of others. Default: yes. */
  readonly thinking?: boolean;
  /** What becomes of reasoning that cannot go back as thinking: it is left out, or goes out as text. Default: it is left out. */
  readonly foreignReasoning?: 'drop' | 'text';
  /** Whether an answer may hold images, audio and files, which only newer models take; else they are left out. Default: yes. */
  readonly toolMedia?: boolean;
  /**
   * Whether the user may speak right behind an answer. Most models refuse that: words of the assistant are put between,
   * save where it was read so. Default: no.
   */
  readonly userAfterTool?: boolean;
}
