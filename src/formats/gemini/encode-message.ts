import { reject } from '../../errors.ts';
import type { ContentPart } from '../../model/content-part.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import type { OpenReport } from '../open-report.ts';
import type { WireNames } from '../wire-names.ts';
import { drop, dropKeys, encodePart, type Lose } from './encode-part.ts';
import { encodeCall, hasOwnId } from './function-call.ts';
import { encodeAnswer } from './function-response.ts';
import type { GeminiOptions } from './options.ts';
import { keptIn, keptOf, withKept } from './origin.ts';
import type { GeminiFunctionCallPart, GeminiPart } from './wire.ts';

/** What Google documents for calls that Gemini did not make (ai.google.dev, Thought signatures). */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** What is encoded, and for which request. */
export interface Source {
  readonly message: Message;
  /** Where it stands, for the report. */
  readonly path: string;
  readonly report: OpenReport;
  readonly options: GeminiOptions;
  readonly toolNames: WireNames;
}

/**
 * What a message says and calls, in true order; calls among themselves as they are answered. Where only some kinds of
 * parts may stand, the others are left out.
 */
export function encodeParts(source: Source, kinds?: readonly string[]): GeminiPart[] {
  const { message, options } = source;
  const { content, toolCalls, role, name, extra } = message;
  if (name !== '') drop(loseAt(source, '.name'), 'name', 'a name');
  dropKeys(extra, [], loseAt(source));
  if (content.plainText && toolCalls.size === 0) return [{ text: content.plainText }];
  const places = new Map<ContentPart, number>();
  content.parts.forEach((part, at) => places.set(part, at));
  const parts: GeminiPart[] = [];
  let called = 0;
  for (const block of message.blocks()) {
    if (block.type === 'tool_call') {
      parts.push(encodeCallOf(toolCalls.at(called) as ToolCall, source, `.toolCalls[${called++}]`));
      continue;
    }
    const lose = loseAt(source, `.content[${places.get(block.part)}]`);
    const wire = encodePart(block.part, lose, options.urls);
    if (wire === undefined || isBlank(wire)) continue;
    if (kinds === undefined || kinds.some((kind) => kind in wire)) parts.push(wire);
    else drop(lose, 'part-role', `a part of ${role} messages`);
  }
  return parts;
}

/** Text that is empty says nothing, unless it is signed (ai.google.dev, Thought signatures). */
function isBlank(wire: GeminiPart): boolean {
  return 'text' in wire && wire.text === '' && wire.thoughtSignature === undefined;
}

function encodeCallOf(call: ToolCall, source: Source, at: string): GeminiPart {
  const { report, path } = source;
  const names = namesOf(call, source);
  const lose = loseAt(source, at);
  dropKeys(call.extra, [], lose);
  if (call.kind === 'custom') lose('custom-call', 'degraded', 'free text goes out as "input"');
  if (names.name !== call.name) {
    const told = `${JSON.stringify(call.name)} goes out as "${names.name}"`;
    report.repair(path + at, 'tool-name', 'rewritten', told);
  }
  return encodeCall(call, names, report.takesArguments(call, path + at));
}

/** What a call is called on the wire, also by its answer. */
function namesOf(call: ToolCall, { options, toolNames }: Source): { id?: string; name: string } {
  const isSent = options.callIds === 'all' || hasOwnId(call);
  return { ...(isSent && { id: call.idString() }), name: toolNames.of(call.name) };
}

/**
 * Signs the first call of a turn where the model asks for that, and only that one.
 *
 * @throws InvalidInputError `missing_thought_signature` where it is not signed, and `invalid` is `'throw'`
 */
export function sign(parts: readonly GeminiPart[], { options, report, path }: Source): void {
  const first = parts.find((part): part is GeminiFunctionCallPart => 'functionCall' in part);
  if (options.signatures !== 'required' || first === undefined || first.thoughtSignature !== undefined) return;
  if (options.invalid === 'throw') reject(path, 'a signed call', undefined, 'missing_thought_signature');
  first.thoughtSignature = NO_SIGNATURE;
  report.repair(path, 'signature', 'added', `${NO_SIGNATURE} goes out`);
}

/** The answer to a call, and the media that stand behind it. */
export function encodeResponse(source: Source, call: ToolCall): GeminiPart[] {
  const { toolResult, origin } = source.message;
  const { toolMedia = 'parts' } = source.options;
  const { status = 'ok', synthetic } = toolResult ?? {};
  const kept = keptOf(origin);
  const parts = encodeParts(source, ['text', 'inlineData', 'fileData']);
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const media = parts.filter((part) => !('text' in part));
  const place = media.length > 0 ? toolMedia : undefined;
  const lose = loseAt(source, '.toolResult');
  if (texts.length > 1) lose('answer-texts', 'degraded', 'several texts go out as one');
  if (place === 'none') drop(lose, 'answer-media', 'media of an answer');
  if (place === 'siblings') lose('answer-media', 'moved', 'media go out behind');
  if (!['ok', 'error'].includes(status) && synthetic !== true)
    lose('status', 'degraded', `${status} goes out as an error`);
  const functionResponse = {
    ...namesOf(call, source),
    response: encodeAnswer({ text: texts.join('\n'), isError: status !== 'ok' }, kept?.['response']),
    ...(place === 'parts' && { parts: media }),
  };
  const answer = withKept({ functionResponse }, keptIn(kept, 'part'));
  return place === 'siblings' ? [answer, ...media] : [answer];
}

/** Tells losses at a place of the message. */
export function loseAt({ report, path }: Source, at = ''): Lose {
  return (rule, action, message) => report.lose(path + at, rule, action, message);
}
