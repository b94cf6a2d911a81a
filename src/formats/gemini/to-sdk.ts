import type { GeminiContent, GeminiPayload } from './wire.ts';

/** All else of a request of `@google/genai`: the model, and the settings. */
export interface GeminiParams {
  readonly model: string;
  readonly config?: object;
}

/** A request of `@google/genai`. */
export type GeminiRequest<Params extends GeminiParams> = Omit<Params, 'config'> & {
  contents: GeminiContent[];
  config: NonNullable<Params['config']> & { systemInstruction?: GeminiContent };
};

/** A request of `@google/genai` with these contents; instructions of the payload win over those of the settings. */
export function toSdk<Params extends GeminiParams>(payload: GeminiPayload, params: Params): GeminiRequest<Params> {
  const { systemInstruction, contents } = payload;
  const config = { ...params.config, ...(systemInstruction && { systemInstruction }) };
  return { ...params, contents, config };
}
