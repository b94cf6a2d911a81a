import { reject } from '../../errors.ts';
import { ContentPart } from '../../model/content-part.ts';
import type { ContentPartJSON } from '../../schema/content.ts';
import { equalJson, isRecord, isText, type JsonObject, type JsonValue, NO_FIELDS } from '../../schema/json.ts';
import type { MessageRole } from '../../schema/role.ts';
import { ADDRESS } from './encode-media.ts';
import { encodePart, thoughtIn } from './encode-part.ts';
import { AS_IT_CAME, originOf, PROVIDER } from './origin.ts';

/**
 * A chunk as a part: one of ours where that goes out again as it came, else the chunk as it is, under its own type. A
 * part says where it comes from where that is needed for the way back. Keeps the chunk.
 *
 * @throws InvalidInputError where it is no chunk
 */
export function decodeChunk(given: JsonValue, path: string, role: MessageRole, model?: string): ContentPart {
  if (!isRecord(given) || typeof given['type'] !== 'string') return reject(path, 'a chunk', given);
  const bare = given['type'] === 'text' ? decodeBare(given) : undefined;
  if (bare !== undefined) return bare;
  const chunk = given as unknown as ContentPartJSON;
  const read = readKnown(chunk, model) as ContentPartJSON | undefined;
  const part = read && ContentPart.owning(read);
  return part !== undefined && equalJson(encodePart(part, { role, options: {}, lose: () => {} }), chunk)
    ? part
    : ContentPart.owning({ ...chunk, _origin: { provider: PROVIDER, data: AS_IT_CAME } });
}

/** A text, or an image of the user's by its address, and nothing beside. Undefined for any other chunk. */
export function decodeBare(chunk: unknown): ContentPart | undefined {
  const { type, text, image_url: url } = isRecord(chunk) && Object.keys(chunk).length === 2 ? chunk : NO_FIELDS;
  if (type === 'text' && isText(text)) return ContentPart.plain(text);
  if (type !== 'image_url' || !isText(url) || !ADDRESS.test(url)) return undefined;
  return ContentPart.owning({ type, image_url: { url } });
}

/** A part of ours for a chunk; undefined where there is none. It is looked at later whether that goes back. */
function readKnown({ type, ...fields }: ContentPartJSON, model: string | undefined): unknown {
  switch (type) {
    case 'image_url':
      return { type, ...fields, image_url: { url: fields['image_url'] } };
    case 'document_url': {
      const { document_url: address, document_name: file_name, ...others } = fields;
      const key = /^data:/i.test(address as string) ? 'file_data' : 'file_url';
      return { type: 'file', ...others, file: { [key]: address, ...(file_name !== undefined && { file_name }) } };
    }
    case 'file': {
      const { file_id, ...others } = fields;
      return { type, ...others, file: { file_id }, _origin: originOf({}) };
    }
    case 'input_audio':
      return { type, ...fields, input_audio: audioOf(fields['input_audio']) };
    case 'thinking':
      return readThinking(fields, model);
    default:
      return undefined;
  }
}

/** Audio by its address, or as base64 with the format that its first bytes tell. */
function audioOf(sound: unknown): unknown {
  if (typeof sound !== 'string') return sound;
  if (/^(https?|data):/i.test(sound)) return { url: sound };
  const format = sound.startsWith('UklGR') ? 'wav' : /^(SUQz|\/\/[s-v])/.test(sound) ? 'mp3' : undefined;
  return { data: sound, ...(format !== undefined && { format }) };
}

/** A thought, with its pieces where they are more than one text, and all that is needed to send it back. */
function readThinking({ thinking, ...kept }: JsonObject, model: string | undefined): unknown {
  const text = thoughtIn(thinking);
  const isUsual = equalJson(thinking, [{ type: 'text', text }]);
  return {
    type: 'reasoning',
    text,
    _origin: originOf(isUsual ? kept : { ...kept, thinking: thinking as JsonValue }, model),
  };
}
