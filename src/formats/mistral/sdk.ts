import { isRecord } from '../../schema/json.ts';
import type { Fields } from './origin.ts';
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

/** The keys of messages, and of their content, that the package spells in its own way. */
const KEYS = /^(toolCalls|toolCallId|imageUrl|documentUrl|documentName|fileId|inputAudio|referenceIds)$/;

/** A request of `@mistralai/mistralai` with these messages. */
export function toSdk<Params extends MistralParams>(payload: MistralPayload, params: Params): MistralRequest<Params> {
  const messages = payload.messages.map((message) => respelled(message, camelCase));
  return { ...params, messages: messages as unknown as MistralSdk<MistralMessage>[] };
}

function camelCase(key: string): string {
  return key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A message as the wire spells it, also where the package gave it. */
export function fromSdk(message: unknown): unknown {
  return respelled(message, (key) =>
    KEYS.test(key) ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key,
  );
}

/** A record with other keys, also in the lists of chunks that it holds. What a tool is called with stays as it is. */
function respelled(value: unknown, spell: (key: string) => string): unknown {
  if (!isRecord(value)) return value;
  const { type, raw }: Fields = value;
  // A chunk that the package does not know is kept by it as it came.
  if (type === 'UNKNOWN' && raw !== undefined) return raw;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      spell(key),
      Array.isArray(item) && (key === 'content' || key === 'thinking')
        ? item.map((chunk) => respelled(chunk, spell))
        : item,
    ]),
  );
}
