import { reject } from '../../errors.ts';
import type { ContentPart } from '../../model/content-part.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { encodePart } from './encode-part.ts';
import { encodeCall, hasOwnId } from './function-call.ts';
import { encodeAnswer } from './function-response.ts';
import { keptIn, keptOf, withKept } from './origin.ts';
import type { Making, Source } from './source.ts';
import type { GeminiFunctionCallPart, GeminiPart } from './wire.ts';

/** What Google documents for calls that Gemini did not make (ai.google.dev, Thought signatures). */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/**
 * What a message says and calls, in true order; calls among themselves as they are answered. Where only some kinds of
 * parts may stand, the others are left out.
 */
export function encodeParts(source: Source, kinds?: readonly string[]): GeminiPart[] {
  const { content, toolCalls, name, extra } = source.message;
  if (name !== '') source.drop('.name', 'name', 'a name');
  source.dropKeys('', extra, []);
  const parts: GeminiPart[] = [];
  let called = 0;
  const encodeNextCall = (): void => {
    parts.push(encodeCallOf(toolCalls.at(called) as ToolCall, source, `.toolCalls[${called++}]`));
  };
  const text = content.plainText;
  if (text) parts.push(source.made({ text }, 0));
  if (text === undefined)
    content.parts.forEach((part, at) => {
      if (!part.isMark()) parts.push(...encodePartOf(part, source, at, kinds));
      else if (toolCalls.getById(part.get('id') as string) !== undefined && called < toolCalls.size) encodeNextCall();
    });
  while (called < toolCalls.size) encodeNextCall();
  return parts;
}

function encodePartOf(part: ContentPart, source: Source, at: number, kinds?: readonly string[]): GeminiPart[] {
  const wire = encodePart(part, source, at);
  if (wire === undefined || isBlank(wire)) return [];
  if (kinds === undefined || kinds.some((kind) => kind in wire)) return [source.made(wire, at)];
  source.drop(at, 'part-role', `a part of ${source.message.role} messages`);
  return [];
}

/** Text that is empty says nothing, unless it is signed (ai.google.dev, Thought signatures). */
function isBlank(wire: GeminiPart): boolean {
  return 'text' in wire && wire.text === '' && wire.thoughtSignature === undefined;
}

function encodeCallOf(call: ToolCall, source: Source, at: string): GeminiPart {
  const { report } = source.making;
  const names = namesOf(call, source.making);
  source.dropKeys(at, call.extra, []);
  if (call.kind === 'custom') source.lose(at, 'custom-call', 'degraded', 'free text goes out as "input"');
  if (names.name !== call.name) {
    const told = `${JSON.stringify(call.name)} goes out as "${names.name}"`;
    report.repair(source.path(at), 'call-name', 'rewritten', told);
  }
  const isGood = !call.isMalformed() || report.takesArguments(call, source.path(at));
  return source.made(encodeCall(call, names, isGood), at);
}

/** What a call is called on the wire, also by its answer. */
function namesOf(call: ToolCall, { options, toolNames }: Making): { id?: string; name: string } {
  const name = toolNames.of(call.name);
  return options.callIds === 'all' || hasOwnId(call) ? { id: call.idString(), name } : { name };
}

/**
 * Signs the first call of a turn where the model asks for that, and only that one.
 *
 * @throws InvalidInputError `missing_thought_signature` where it is not signed, and `invalid` is `'throw'`
 */
export function sign(parts: readonly GeminiPart[], source: Source): void {
  const { options, report } = source.making;
  if (options.signatures !== 'required') return;
  const first = parts.find((part): part is GeminiFunctionCallPart => 'functionCall' in part);
  if (first === undefined || first.thoughtSignature !== undefined) return;
  if (options.invalid === 'throw') reject(source.path(''), 'a signed call', undefined, 'missing_thought_signature');
  first.thoughtSignature = NO_SIGNATURE;
  report.repair(source.path(''), 'signature', 'added', `${NO_SIGNATURE} goes out`);
}

/** The answer to a call, and the media that stand behind it. */
export function encodeResponse(source: Source, call: ToolCall): GeminiPart[] {
  const { content, toolResult, origin } = source.message;
  const { toolMedia = 'parts' } = source.making.options;
  const { status = 'ok', synthetic } = toolResult ?? {};
  const kept = keptOf(origin);
  const texts: string[] = [];
  const media: GeminiPart[] = [];
  for (const part of encodeParts(source, ['text', 'inlineData', 'fileData']))
    if ('text' in part) texts.push(part.text);
    else media.push(part);
  const place = media.length > 0 ? toolMedia : undefined;
  const at = '.toolResult';
  if (texts.length > 1) source.lose(at, 'answer-texts', 'degraded', 'several texts go out as one');
  if (place === 'none') source.drop(at, 'answer-media', 'media of an answer');
  if (place === 'siblings') source.lose(at, 'answer-media', 'moved', 'media go out behind');
  if (status !== 'ok' && status !== 'error' && synthetic !== true)
    source.lose(at, 'status', 'degraded', `${status} goes out as an error`);
  const functionResponse = {
    ...namesOf(call, source.making),
    response: encodeAnswer(texts.join('\n'), status !== 'ok', content, kept?.['response']),
    ...(place === 'parts' && { parts: media }),
  };
  const answer = source.made(withKept({ functionResponse }, keptIn(kept, 'part')), '');
  return place === 'siblings' ? [answer, ...media] : [answer];
}
