import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { type JsonObject, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { CallNames } from './call-names.ts';
import type { AnthropicOptions } from './encode.ts';
import { encodePart } from './encode-part.ts';
import { fresh } from './fresh.ts';
import { isOwn, shapeOf } from './origin.ts';
import { takeKeys, unknownKey } from './part-context.ts';
import type { AnthropicBlock, AnthropicResultBlock, AnthropicToolResultBlock, AnthropicToolUseBlock } from './wire.ts';

/** A block, and where it comes from: `messages[3].content[1]`. */
export interface PlacedBlock {
  readonly block: AnthropicBlock;
  readonly path: string;
}

/** What the messages of one request share while they are encoded. */
export interface Request {
  readonly report: OpenReport;
  readonly options: AnthropicOptions;
  readonly names: CallNames;
}

/** What an answer says that failed without a word: "content cannot be empty if `is_error` is true". */
const NO_WORDS = 'The tool failed.';

/** What a message says and calls, in true order. */
export function encodeSaid(message: Message, path: string, request: Request): PlacedBlock[] {
  const { name, origin, toolCalls } = message;
  loseRest(name, message, path, request);
  const blocks = partsOf(message, path, request);
  if (toolCalls.size === 0) return blocks.flat();
  request.names.startTurn();
  const calls = new Map(
    toolCalls.map((call, at) => [call, encodeCall(call, origin, `${path}.toolCalls[${at}]`, request)]),
  );
  let part = 0;
  return [...message.blocks()].flatMap((block) =>
    block.type === 'part' ? (blocks[part++] ?? []) : (calls.get(block.call) ?? []),
  );
}

/** What becomes of each part that is no mark: a block or nothing. */
function partsOf({ content, role, origin }: Message, path: string, { report, options }: Request): PlacedBlock[][] {
  const blocks: PlacedBlock[][] = [];
  content.parts.forEach((part, at) => {
    if (part.isMark()) return;
    const place = `${path}.content[${at}]`;
    const lose = (rule: string, action: Loss['action'], text: string): void => report.lose(place, rule, action, text);
    const block = encodePart(part, { role, origin, options, lose });
    blocks.push(block === undefined ? [] : [{ block, path: place }]);
  });
  return blocks;
}

function encodeCall(call: ToolCall, origin: Origin | undefined, path: string, request: Request): PlacedBlock {
  const { id, name } = request.names.call(call);
  tellRewritten(call.idString(), id, 'tool-call-id', path, request);
  tellRewritten(call.name, name, 'tool-name', path, request);
  const block: AnthropicToolUseBlock = { type: 'tool_use', id, name, input: inputOf(call, path, request) };
  addKeys(block, call.extra, call.origin ?? origin, 'tool-call-key', path, request);
  return { block, path };
}

function tellRewritten(own: string, sent: string, rule: string, path: string, { report }: Request): void {
  if (own !== sent)
    report.repair(path, rule, 'rewritten', `${JSON.stringify(own)} goes out as ${JSON.stringify(sent)}`);
}

function inputOf(call: ToolCall, path: string, { report }: Request): Record<string, unknown> {
  if (call.kind === 'custom') {
    report.lose(path, 'custom-tool', 'degraded', 'this wire has no free text');
    return { input: call.argsText };
  }
  return report.takesArguments(call, path) ? (fresh(call.args) as Record<string, unknown>) : {};
}

/** The answer to a call. */
export function encodeAnswer(message: Message, path: string, request: Request): PlacedBlock {
  const { toolResult, origin, name } = message;
  const { status = 'ok', extra = NO_FIELDS, callId = '' } = toolResult ?? {};
  const isError = status !== 'ok';
  const content = answerContent(message, isError, path, request);
  const block: AnthropicToolResultBlock = {
    type: 'tool_result',
    tool_use_id: request.names.answered(callId),
    ...(content !== undefined && { content }),
    ...((isError || shapeOf(message).is_error === false) && { is_error: isError }),
  };
  if (isError && status !== 'error')
    request.report.lose(`${path}.toolResult.status`, 'status', 'degraded', `"${status}" goes out as an error`);
  loseRest(name, message, path, request);
  addKeys(block, extra, origin, 'tool-result-key', `${path}.toolResult`, request);
  return { block, path };
}

/** A text where the content is one, blocks otherwise; undefined where there is nothing to say. */
function answerContent(
  message: Message,
  isError: boolean,
  path: string,
  request: Request,
): string | AnthropicResultBlock[] | undefined {
  const shape = shapeOf(message).content;
  const blocks = partsOf(message, path, request).flat();
  if (blocks.length > 0) {
    const text = shape === 'list' ? undefined : message.content.plainText;
    return text ?? blocks.map(({ block }) => block as AnthropicResultBlock);
  }
  if (isError) {
    request.report.repair(path, 'empty-error', 'added', 'an error without words');
    return NO_WORDS;
  }
  return shape === 'list' ? [] : shape === 'text' ? '' : undefined;
}

/** Messages have a role and content on this wire, and nothing else (`@anthropic-ai/sdk`, MessageParam). */
function loseRest(name: string, { extra }: Message, path: string, request: Request): void {
  addKeys({}, extra, undefined, 'message-key', path, request);
  if (name !== '') request.report.lose(`${path}.name`, 'name', 'dropped', 'this wire has no name: left out');
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
  for (const key of takeKeys(target, extra, [], () => isOwn(origin)))
    report.lose(`${path}.${key}`, rule, 'dropped', unknownKey(key));
}
