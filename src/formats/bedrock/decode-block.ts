import { reject } from '../../errors.ts';
import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCall } from '../../model/tool-call.ts';
import { ToolResult } from '../../model/tool-result.ts';
import { equalJson, isRecord, type JsonObject, type JsonValue } from '../../schema/json.ts';
import { OpenReport } from '../open-report.ts';
import { DocumentNames } from './document-names.ts';
import { encodePart } from './encode-part.ts';
import { kindOf, recordOf, textOf } from './kind.ts';
import { mediaTypeOf } from './media.ts';
import { PROVIDER } from './origin.ts';

/** What is read of a cache mark: Anthropic's word for it, which other wires know, too. */
interface CacheMark extends JsonObject {
  readonly type: 'ephemeral';
}

/** The mark that a cache point sets on what stands before it; undefined for what is none, or one with unknown keys. */
export function markOf(block: unknown): CacheMark | undefined {
  if (!isRecord(block) || !isRecord(block['cachePoint'])) return undefined;
  const { type, ttl, ...others } = block['cachePoint'];
  if (type !== 'default' || Object.keys(others).length + Object.keys(block).length > 1) return undefined;
  if (ttl === undefined) return { type: 'ephemeral' };
  return ttl === '5m' || ttl === '1h' ? { type: 'ephemeral', ttl } : undefined;
}

/** Types of parts that mean something else here. */
const OURS: ReadonlySet<string> = /* @__PURE__ */ new Set(['tool_call', 'reasoning']);

/**
 * A block as a part: one of ours where that goes out again as it came, else a part that keeps the block in its origin,
 * and says what the block says in words.
 */
export function decodePart(block: JsonObject, path: string, mark?: CacheMark): ContentPart {
  const kind = kindOf(block) ?? reject(path, 'a block with one key', block);
  const marked = mark && { cache_control: mark };
  if ('text' in block && typeof block['text'] !== 'string') reject(`${path}.text`, 'text', block['text']);
  const known = Object.keys(block).length === 1 ? decodeKnown(kind, block) : undefined;
  const part = known && ContentPart.owning({ ...known, ...marked });
  if (part !== undefined && goesBack(part, block)) return part;
  const text = textOf(block);
  const said = text === '' ? { type: OURS.has(kind) ? 'block' : kind } : { type: 'text', text };
  return ContentPart.owning({ ...said, ...marked, _origin: { provider: PROVIDER, data: block } });
}

/** Whether a part goes out as this block, to whichever model. A blank text does not, and is one nevertheless. */
function goesBack(part: ContentPart, block: JsonObject): boolean {
  if (part.type === 'text') return true;
  const context = {
    role: part.type === 'reasoning' ? 'assistant' : 'user',
    origin: undefined,
    path: '',
    report: new OpenReport([], {}),
    options: { unsignedReasoning: 'send' },
    documents: new DocumentNames(),
  } as const;
  return equalJson(encodePart(part, context), block);
}

type PartFields = JsonObject & { readonly type: string };

function decodeKnown(kind: string, block: JsonObject): PartFields | undefined {
  switch (kind) {
    case 'text':
      return { type: 'text', text: block['text'] as string };
    case 'reasoningContent':
      return decodeReasoning(recordOf(block[kind]));
    case 'image':
    case 'video':
    case 'document':
      return decodeMedia(kind, recordOf(block[kind]));
    case 'audio': {
      const { format = '', source } = recordOf(block[kind]);
      return { type: 'input_audio', input_audio: { format, data: recordOf(source)['bytes'] ?? '' } };
    }
    default:
      return undefined;
  }
}

/** What a model thought; the provider's proof of it goes into the origin. */
function decodeReasoning({ reasoningText, ...redacted }: JsonObject): PartFields {
  const { text = '', ...proof } = recordOf(reasoningText);
  return { type: 'reasoning', text, _origin: { provider: PROVIDER, data: { ...proof, ...redacted } } };
}

function decodeMedia(kind: 'image' | 'video' | 'document', fields: JsonObject): PartFields {
  const { format, name, source, ...others } = fields;
  const { bytes, s3Location } = recordOf(source);
  const type = typeof format === 'string' ? mediaTypeOf(kind, format) : '';
  const { uri } = recordOf(s3Location);
  if (kind === 'image') return { type: 'image_url', image_url: { url: uri ?? dataUri(type, bytes) } };
  const file = {
    ...(uri === undefined ? { file_data: dataUri(type, bytes) } : { file_url: uri }),
    ...(typeof name === 'string' && { file_name: `${name}.${format as string}` }),
  };
  return { type: 'file', file, ...others };
}

function dataUri(type: string, bytes: JsonValue | undefined): string {
  return `data:${type};base64,${typeof bytes === 'string' ? bytes : ''}`;
}

/**
 * A tool call, with what else the block holds.
 *
 * @throws InvalidInputError where its id or input cannot be one
 */
export function decodeCall(toolUse: JsonObject, path: string, mark?: CacheMark): ToolCall {
  const { toolUseId, name, input, ...extra } = toolUse;
  if (typeof input === 'number' || typeof input === 'boolean') reject(`${path}.input`, 'an object', input);
  const isBound = Object.keys(extra).length > 0;
  return ToolCall.from(
    {
      ...extra,
      ...(mark && { cache_control: mark }),
      id: toolUseId,
      name,
      arguments: input,
      ...(isBound && { _origin: { provider: PROVIDER } }),
    },
    path,
  );
}

/** The answer to a call, with what else the block holds. */
export function decodeResult(toolResult: JsonObject, path: string, mark?: CacheMark): ToolResult {
  const { toolUseId, content, status, ...extra } = toolResult;
  if (!Array.isArray(content)) return reject(`${path}.content`, 'blocks', content, 'missing_content');
  const parts = (content as readonly JsonValue[]).map((block, at) => {
    const place = `${path}.content[${at}]`;
    return decodePart(isRecord(block) ? block : reject(place, 'a block', block), place);
  });
  const is_error = status === 'error';
  const fields = {
    ...extra,
    ...(mark && { cache_control: mark }),
    content: Content.owningParts(parts),
    call_id: toolUseId,
    is_error,
  };
  return ToolResult.from(fields, path);
}
