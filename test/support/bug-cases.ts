import { readFileSync } from 'node:fs';
import { ContentPart, Message, Messages, type Origin, ToolResult } from '../../src/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What went wrong in a program like this one: what was given, what was done, and what ought to come. */
export interface BugCase {
  readonly id: string;
  readonly area: string;
  readonly summary: string;
  readonly input: Fields;
  readonly operation: string;
  readonly expected: Fields;
}

/** The cases that concern the formats. */
export const bugCases = casesIn('bug-cases.json');
/** Those that concern what goes out: trimming, counting, and messages from clients. */
export const contextCases = casesIn('context-cases.json');

function casesIn(file: string): readonly BugCase[] {
  return JSON.parse(readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8')) as readonly BugCase[];
}

/** A message of a case. */
export interface CaseMessage {
  readonly role: Message['role'];
  readonly id?: string;
  readonly name?: string;
  readonly createdAt?: string;
  readonly metadata?: Fields;
  readonly origin?: Origin;
  readonly parts: readonly Fields[];
}

/** A case's messages as ours. One that holds several answers becomes several. */
export function messagesOf(list: unknown): Messages {
  return Messages.of(...(list as readonly CaseMessage[]).flatMap(messageOf));
}

function messageOf({ role, parts, origin, ...fields }: CaseMessage): Message[] {
  const results = parts.filter(({ type }) => type === 'tool_result');
  if (results.length > 0) return results.map(answerOf);
  const calls = parts.filter(({ type }) => type === 'tool_call');
  const content = parts.filter(({ type }) => type !== 'tool_call').map((part) => partOf(part, origin));
  const toolCalls = calls.map(({ callId, name, arguments: args }) => ({ id: callId, name, arguments: textOf(args) }));
  return [Message.of({ role, content, toolCalls, origin, ...fields })];
}

function answerOf({ callId, content, isError }: Fields): Message {
  const items = content as readonly Fields[];
  const [first] = items;
  const text = first?.['type'] === 'json' ? JSON.stringify(first['value']) : items.map((part) => partOf(part));
  return Message.of({
    role: 'tool',
    toolResult: ToolResult.of({ callId: String(callId), content: text, status: isError === true ? 'error' : 'ok' }),
  });
}

function partOf(part: Fields, origin?: Origin): ContentPart {
  const { type, text, mediaType, base64, name, signature, providerData } = part;
  switch (type) {
    case 'image':
      return ContentPart.imageUrl(`data:${String(mediaType)};base64,${String(base64)}`);
    case 'file':
      return ContentPart.of('file', {
        file: { file_name: name, file_data: `data:${String(mediaType)};base64,${String(base64)}` },
      });
    case 'reasoning': {
      const proof = typeof signature === 'string' && { data: { signature } };
      return ContentPart.reasoning(textOf(text), origin && { ...origin, ...proof });
    }
    default:
      return ContentPart.of('text', { text: textOf(text), ...signed(providerData) });
  }
}

/** Gemini's signature of a text, in the form in which our parts keep it. */
function signed(providerData: unknown): Fields {
  const gemini = (providerData as { readonly gemini?: Fields } | undefined)?.gemini;
  return gemini === undefined ? {} : { _origin: { provider: 'gemini', data: gemini } };
}

/** Texts of code units, in any place, as texts. */
export function textOf<Text = never>(value: unknown): Text {
  if (Array.isArray(value)) return value.map((item) => textOf(item)) as Text;
  if (typeof value !== 'object' || value === null) return value as Text;
  if ('$codeUnits' in value) return String.fromCharCode(...(value.$codeUnits as number[])) as Text;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, textOf(inner)])) as Text;
}
