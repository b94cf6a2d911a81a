import { respelled } from './sdk.ts';
import type { MistralMessage, MistralPayload } from './wire.ts';

/** A value of the wire as the JavaScript package spells it: its keys in camel case. */
export type MistralSdk<Wire> = Wire extends readonly (infer Item)[]
  ? MistralSdk<Item>[]
  : Wire extends object
    ? { [Key in keyof Wire as MistralSdkKey<Key>]: MistralSdk<Wire[Key]> }
    : Wire;

/** A key of the wire in camel case. */
export type MistralSdkKey<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MistralSdkKey<Tail>>}`
  : Key;

/** All else of a request of `@mistralai/mistralai`: the model, and the settings. */
export interface MistralParams {
  readonly model: string;
}

/** A request of `@mistralai/mistralai`. */
export type MistralRequest<Params extends MistralParams> = Omit<Params, 'messages'> & {
  messages: MistralSdk<MistralMessage>[];
};

/** What `chat.complete` and `chat.stream` of `@mistralai/mistralai` take: a request whose keys are in camel case. */
export function toSdk<Params extends MistralParams>(payload: MistralPayload, params: Params): MistralRequest<Params> {
  const messages = payload.messages.map((message) => respelled(message, camelCase));
  return { ...params, messages: messages as unknown as MistralSdk<MistralMessage>[] };
}

function camelCase(key: string): string {
  return key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
