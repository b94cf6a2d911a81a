import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import { encodePart } from './encode-part.ts';
import { fresh } from './fresh.ts';
import { isOwn, shapeOf } from './origin.ts';
import { takeKeys, unknownKey } from './part-context.ts';
import type { Request } from './request.ts';
import type { AnthropicBlock, AnthropicResultBlock, AnthropicToolResultBlock, AnthropicToolUseBlock } from './wire.ts';

/** What an answer says that failed without a word: "content cannot be empty if `is_error` is true". */
const NO_WORDS = 'The tool failed.';

/** What a message says and calls, in true order. */
export function encodeSaid(message: Message, index: number, request: Request): AnthropicBlock[] {
  loseRest(message, index, request);
  const { toolCalls } = message;
  request.names.startTurn();
  const waiting = new Map<unknown, number>(toolCalls.map(({ id }, at) => [id, at]));
  const blocks = encodeParts(message, index, request, (id) => {
    const at = waiting.get(id);
    waiting.delete(id);
    return at === undefined ? undefined : encodeCall(message, at, index, request);
  });
  for (const at of waiting.values()) blocks.push(encodeCall(message, at, index, request));
  return blocks;
}

/** The blocks of the parts that go out; `callAt`: the block of the call whose place a part marks. */
function encodeParts(
  message: Message,
  index: number,
  request: Request,
  callAt?: (id: unknown) => AnthropicBlock | undefined,
): AnthropicBlock[] {
  const { content, role, origin } = message;
  const text = content.plainText;
  // By far the most frequent content, without the detour over parts.
  const { options, report } = request;
  const blocks: AnthropicBlock[] = [];
  if (text !== undefined && /\S/.test(text)) {
    blocks.push({ type: 'text', text });
    report.made(blocks[0] as AnthropicBlock, index);
    return blocks;
  }
  content.parts.forEach((part, at) => {
    const path = `${request.pathOf(index)}.content[${at}]`;
    const isMark = part.isMark();
    const block = isMark ? callAt?.(part.get('id')) : encodePart(part, { role, origin, options, report, path });
    if (block === undefined) return;
    if (!isMark) request.made(block, path);
    blocks.push(block);
  });
  return blocks;
}

function encodeCall(message: Message, at: number, index: number, request: Request): AnthropicToolUseBlock {
  const { toolCalls, origin } = message;
  const call = toolCalls.at(at) as ToolCall;
  const path = `${request.pathOf(index)}.toolCalls[${at}]`;
  const id = request.names.idOf(call);
  const name = request.names.nameOf(call);
  tellRewritten(call.idString(), id, 'call-id', path, request);
  tellRewritten(call.name, name, 'call-name', path, request);
  const block: AnthropicToolUseBlock = { type: 'tool_use', id, name, input: inputOf(call, path, request) };
  addKeys(block, call.extra, call.origin ?? origin, 'tool-call-key', path, request);
  request.made(block, path);
  return block;
}

function tellRewritten(own: string, sent: string, rule: string, path: string, { report }: Request): void {
  if (own !== sent)
    report.repair(path, rule, 'rewritten', `${JSON.stringify(own)} goes out as ${JSON.stringify(sent)}`);
}

function inputOf(call: ToolCall, path: string, { report }: Request): Record<string, unknown> {
  if (call.kind === 'custom') {
    report.lose(path, 'custom-tool', 'degraded', 'free text goes out as { input }');
    return { input: call.argsText };
  }
  return report.takesArguments(call, path) ? (fresh(call.args) as Record<string, unknown>) : {};
}

/** The answer to a call. */
export function encodeAnswer(message: Message, index: number, request: Request): AnthropicToolResultBlock {
  const { toolResult, origin } = message;
  const { status = 'ok', extra = NO_FIELDS, callId = '', synthetic } = toolResult ?? {};
  const isError = status !== 'ok';
  const content = answerContent(message, isError, index, request);
  const block: AnthropicToolResultBlock = {
    type: 'tool_result',
    tool_use_id: request.names.answered(callId),
    ...(content !== undefined && { content }),
    ...((isError || shapeOf(message).is_error === false) && { is_error: isError }),
  };
  const path = request.pathOf(index);
  if (isError && status !== 'error' && !synthetic)
    request.report.lose(`${path}.toolResult.status`, 'status', 'degraded', `"${status}" goes out as an error`);
  loseRest(message, index, request);
  addKeys(block, extra, origin, 'tool-result-key', `${path}.toolResult`, request);
  request.made(block, path, index);
  return block;
}

/** A text where the content is one, blocks otherwise; undefined where there is nothing to say. */
function answerContent(
  message: Message,
  isError: boolean,
  index: number,
  request: Request,
): string | AnthropicResultBlock[] | undefined {
  const shape = shapeOf(message).content;
  const text = shape === 'list' ? undefined : message.content.plainText;
  const blocks = encodeParts(message, index, request) as AnthropicResultBlock[];
  if (blocks.length > 0) return text ?? blocks;
  if (isError) {
    request.report.repair(
      request.pathOf(index),
      'empty-error',
      'added',
      `an error without words: "${NO_WORDS}" goes out`,
    );
    return NO_WORDS;
  }
  return shape === 'list' ? [] : shape === 'text' ? '' : undefined;
}

/** Messages have a role and content on this wire, and nothing else (`@anthropic-ai/sdk`, MessageParam). */
function loseRest({ name, extra }: Message, index: number, request: Request): void {
  if (name === '' && extra === NO_FIELDS) return;
  const path = request.pathOf(index);
  addKeys({}, extra, undefined, 'message-key', path, request);
  if (name !== '') request.report.lose(`${path}.name`, 'name', 'dropped', unknownKey('name'));
}

/** Unknown keys go back to where they came from; a cache mark is known. */
function addKeys(
  target: object,
  extra: JsonObject,
  origin: Origin | undefined,
  rule: string,
  path: string,
  { report }: Request,
): void {
  if (extra === NO_FIELDS) return;
  for (const key of takeKeys(target, extra, [], () => isOwn(origin)))
    report.lose(`${path}.${key}`, rule, 'dropped', unknownKey(key));
}
