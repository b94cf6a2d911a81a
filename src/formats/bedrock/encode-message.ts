import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { type JsonObject, NO_FIELDS, setOwn, type JsonValue } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { OpenReport } from '../open-report.ts';
import type { CallNames } from './call-names.ts';
import type { DocumentNames } from './document-names.ts';
import { encodePart, hasWords } from './encode-part.ts';
import { fresh } from './fresh.ts';
import type { BedrockOptions } from './options.ts';
import { isOwn, shapeOf } from './origin.ts';
import { cachePointOf, saidKeys, unknownKey } from './part-context.ts';
import type { BedrockBlock, BedrockObject, BedrockResultBlock } from './wire.ts';

/** What the messages of one request share while they are encoded. */
export interface Making {
  readonly report: OpenReport;
  readonly options: BedrockOptions;
  readonly calls: CallNames;
  readonly documents: DocumentNames;
  /** Where blocks come from that are more than a text or a call. */
  readonly places: Map<object, string>;
  /** The path of a message of what is encoded. */
  readonly pathOf: (index: number) => string;
}

/** What an answer says that says nothing. */
const NO_WORDS = '(no output)';

/** What a message says and calls, in true order. */
export function encodeSaid(message: Message, index: number, making: Making): BedrockBlock[] {
  const { content, toolCalls } = message;
  loseRest(message, index, making);
  if (toolCalls.size > 0) making.calls.startTurn();
  const blocks: BedrockBlock[] = [];
  const text = content.plainText;
  if (text !== '' && (text === undefined || !hasWords(text))) return inOrder(message, index, making);
  if (text !== '') blocks.push({ text });
  for (let at = 0; at < toolCalls.size; at++)
    pushCall(blocks, toolCalls.at(at) as ToolCall, at, message.origin, index, making);
  return blocks;
}

/** Parts and calls, one by one. */
function inOrder(message: Message, index: number, making: Making): BedrockBlock[] {
  const blocks: BedrockBlock[] = [];
  const calls = [...message.toolCalls];
  let at = 0;
  const parts = [...message.content.parts];
  for (const block of message.blocks()) {
    if (block.type === 'tool_call') {
      pushCall(blocks, block.call, calls.indexOf(block.call), message.origin, index, making);
      continue;
    }
    while (parts[at] !== block.part) at++;
    pushPart(blocks, message, at++, index, making);
  }
  return blocks;
}

function pushPart(blocks: BedrockBlock[], message: Message, at: number, index: number, making: Making): void {
  const { role, origin, content } = message;
  const part = content.parts.at(at);
  const path = `${making.pathOf(index)}.content[${at}]`;
  const block = part && encodePart(part, { role, origin, path, ...making });
  if (block === undefined) return;
  blocks.push(block);
  making.places.set(block, path);
  pushCachePoint(blocks, part?.fields ?? NO_FIELDS, path, making);
}

/** The cache point that a part, a call or an answer asks for, right behind it. */
function pushCachePoint(blocks: object[], fields: JsonObject, path: string, { places }: Making): void {
  const point = cachePointOf(fields);
  if (point === undefined) return;
  blocks.push(point);
  places.set(point, path);
}

function pushCall(
  blocks: BedrockBlock[],
  call: ToolCall,
  at: number,
  origin: Origin | undefined,
  index: number,
  making: Making,
): void {
  const own = call.idString();
  const toolUseId = making.calls.idOf(call);
  const name = making.calls.nameOf(call);
  if (toolUseId !== own) tellRewritten(own, toolUseId, 'tool-call-id', pathOfCall(index, at, making), making);
  if (name !== call.name) tellRewritten(call.name, name, 'tool-name', pathOfCall(index, at, making), making);
  const toolUse = { toolUseId, name, input: inputOf(call, index, at, making) };
  blocks.push({ toolUse });
  if (call.extra === NO_FIELDS) return;
  const path = pathOfCall(index, at, making);
  addKeys(toolUse, call.extra, call.origin ?? origin, 'tool-call-key', path, making);
  pushCachePoint(blocks, call.extra, path, making);
}

function pathOfCall(index: number, at: number, { pathOf }: Making): string {
  return `${pathOf(index)}.toolCalls[${at}]`;
}

function tellRewritten(own: string, sent: string, rule: string, path: string, { report }: Making): void {
  report.repair(path, rule, 'rewritten', `${JSON.stringify(own)} goes out as ${JSON.stringify(sent)}`);
}

function inputOf(call: ToolCall, index: number, at: number, making: Making): BedrockObject {
  const { report } = making;
  if (call.kind === 'custom') {
    report.lose(pathOfCall(index, at, making), 'custom-tool', 'degraded', 'this wire has no free text');
    return { input: call.argsText };
  }
  const isGood = !call.isMalformed() || report.takesArguments(call, pathOfCall(index, at, making));
  return isGood ? (fresh(call.args) as BedrockObject) : {};
}

/** The answer to a call. */
export function encodeAnswer(message: Message, index: number, making: Making): BedrockBlock[] {
  const { toolResult, origin, content } = message;
  loseRest(message, index, making);
  const text = content.plainText;
  const isText = text !== undefined && hasWords(text);
  const inner = isText ? [{ text }] : answerBlocks(message, index, making);
  const status = statusOf(message, index, making);
  const block: BedrockBlock = {
    toolResult: {
      toolUseId: making.calls.answered(toolResult?.callId ?? ''),
      content: inner,
      ...(status && { status }),
    },
  };
  const blocks: BedrockBlock[] = [block];
  const extra = toolResult?.extra ?? NO_FIELDS;
  if (isText && extra === NO_FIELDS) return blocks;
  const path = making.pathOf(index);
  making.places.set(block, path);
  addKeys(block.toolResult, extra, origin, 'tool-result-key', `${path}.toolResult`, making);
  pushCachePoint(blocks, markedFields(message), path, making);
  return blocks;
}

/** The status of an answer; usually none where all went well. */
function statusOf(
  message: Message,
  index: number,
  { options, report, pathOf }: Making,
): 'error' | 'success' | undefined {
  const { status = 'ok' } = message.toolResult ?? {};
  if (status === 'ok') return options.errorStatus === false ? undefined : shapeOf(message).status;
  const path = `${pathOf(index)}.toolResult.status`;
  if (options.errorStatus === false) {
    report.lose(path, 'error-flag', 'dropped', `"${status}": the model takes no status`);
    return undefined;
  }
  if (status !== 'error') report.lose(path, 'status', 'degraded', `"${status}" goes out as an error`);
  return 'error';
}

/**
 * What a tool answered. Some models want something of each tool, all of each that failed ("toolResult cannot be empty
 * when status value is error").
 */
function answerBlocks(message: Message, index: number, making: Making): BedrockResultBlock[] {
  const { role, origin, content, toolResult } = message;
  const blocks: BedrockResultBlock[] = [];
  content.parts.forEach((part, at) => {
    if (part.isMark()) return;
    const path = `${making.pathOf(index)}.content[${at}]`;
    const block = encodePart(part, { role, origin, path, ...making }) as BedrockResultBlock | undefined;
    if (block === undefined) return;
    blocks.push(block);
    making.places.set(block, path);
  });
  const mayBeEmpty = making.options.emptyAnswers === 'nothing' || shapeOf(message).content === 'none';
  if (blocks.length > 0 || (mayBeEmpty && toolResult?.status === 'ok')) return blocks;
  making.report.repair(making.pathOf(index), 'empty-answer', 'added', `an answer without words: "${NO_WORDS}"`);
  return [{ text: NO_WORDS }];
}

/** What holds the cache mark of an answer: itself, or the last of its parts that has one, since none may stand in it. */
function markedFields({ toolResult, content }: Message): JsonObject {
  const { extra = NO_FIELDS } = toolResult ?? {};
  if (cachePointOf(extra) !== undefined || content.plainText !== undefined) return extra;
  return [...content.parts].findLast(({ fields }) => cachePointOf(fields) !== undefined)?.fields ?? NO_FIELDS;
}

/** Messages have a role and content on this wire, and nothing else (`@aws-sdk/client-bedrock-runtime`, Message). */
function loseRest({ name, extra }: Message, index: number, { report, pathOf }: Making): void {
  if (name !== '') report.lose(`${pathOf(index)}.name`, 'name', 'dropped', 'this wire has no name: left out');
  if (extra === NO_FIELDS) return;
  for (const key of saidKeys(extra, []))
    report.lose(`${pathOf(index)}.${key}`, 'message-key', 'dropped', unknownKey(key));
}

/** Unknown keys go back to where they came from. */
function addKeys(
  target: object,
  extra: JsonObject,
  origin: Origin | undefined,
  rule: string,
  path: string,
  { report }: Making,
): void {
  for (const key of saidKeys(extra, [])) {
    if (isOwn(origin) && !Object.hasOwn(target, key))
      setOwn(target as Record<string, JsonValue>, key, fresh(extra[key] as JsonValue));
    else report.lose(`${path}.${key}`, rule, 'dropped', unknownKey(key));
  }
}
