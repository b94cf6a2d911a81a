import type { ErrorCode } from '../../errors.ts';
import type { Message } from '../../model/message.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { type JsonObject, type JsonValue, NO_FIELDS, setOwn } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { Loss, Repair } from '../format.ts';
import { type OpenReport, refuse } from '../open-report.ts';
import { encodePart, hasWords } from './encode-part.ts';
import { fresh } from './fresh.ts';
import { callIds, documentName, toolNames } from './names.ts';
import type { BedrockOptions } from './options.ts';
import { keptOf } from './origin.ts';
import { lengthenPoints } from './lengthen-points.ts';
import { cachePointOf, loseKeys, type PartContext } from './part-context.ts';
import { encodeTools } from './tools.ts';
import type {
  BedrockBlock,
  BedrockCachePointBlock,
  BedrockMessage,
  BedrockObject,
  BedrockPayload,
  BedrockReasoningBlock,
  BedrockSystemBlock,
  BedrockTool,
  BedrockToolResultBlock,
  BedrockToolUseBlock,
} from './wire.ts';

/** The blocks of instructions at the top (`@aws-sdk/client-bedrock-runtime`, SystemContentBlock). */
const OF_TOP = /^(text|cachePoint|guardContent)$/;
const MAX_CACHE_POINTS = 4;
/** What an answer says that says nothing. */
const NO_WORDS = '(no output)';

/** The conversation part of a request while it is made. */
export class Request {
  readonly #options: BedrockOptions;
  readonly #report: OpenReport;
  readonly #placeOf: (index: number) => number;
  readonly #ids;
  readonly #tools = toolNames();
  readonly #documents = new Set<string>();
  /** Whether instructions go out before what they stood behind. */
  #isReordered = false;
  /** How often each id was used. */
  readonly #uses = new Map<string, number>();
  /** The ids of the calls of this turn that go out under another. */
  readonly #sent = new Map<string, string>();
  readonly #system: BedrockBlock[] = [];
  readonly #messages: BedrockMessage[] = [];
  /** The names of tools that were called. */
  readonly #called = new Set<string>();
  #firstCall = '';
  /** What spoke last in each message. */
  readonly #speakers: number[] = [];
  /** Where blocks come from that are more than a text or a call. */
  readonly #places = new Map<object, string>();
  /** Whether there are documents or cache points. */
  #hasLimits = false;
  /** What is being encoded: the message, its index, where in it, and what was made of it. */
  #message!: Message;
  #index = 0;
  #at = '';
  #blocks: BedrockBlock[] = [];

  /** `placeOf`: where a message stands in what was given. */
  constructor(options: BedrockOptions, report: OpenReport, placeOf: (index: number) => number) {
    this.#options = options;
    this.#report = report;
    this.#placeOf = placeOf;
    this.#ids = callIds(options);
  }

  #path(at = this.#at, index = this.#index): string {
    return `messages[${this.#placeOf(index)}]${at}`;
  }

  #lose(rule: string, action: Loss['action'], about?: string, path = this.#path()): undefined {
    this.#report.lose(path, rule, action, sentence(rule, action, about));
  }

  #repair(rule: string, action: Repair['action'], about?: string, path = this.#path()): void {
    this.#report.repair(path, rule, action, sentence(rule, action, about));
  }

  add(message: Message, index: number): void {
    const { name, extra, role, content, toolCalls } = message;
    const text = content.plainText;
    this.#index = index;
    this.#at = '';
    const isSpoken = role === 'user' || role === 'assistant';
    // Nearly all messages are no more than a text: without detours.
    if (isSpoken && toolCalls.size === 0 && name === '' && extra === NO_FIELDS && text !== undefined && hasWords(text))
      return this.#put(role, [this.#made({ text })]);
    this.#message = message;
    const blocks: BedrockBlock[] = (this.#blocks = []);
    if (name !== '') this.#lose('name', 'dropped', name, this.#path('.name'));
    if (extra !== NO_FIELDS) this.#addKeys({}, extra, undefined, 'message-key');
    if (role === 'tool') {
      this.#answer();
      return this.#put('user', blocks);
    }
    this.#say();
    this.#at = '';
    const isAlone = blocks.every(isCachePoint) && this.#messages.at(-1)?.role !== role;
    if (blocks.length === 0 || (isSpoken && isAlone)) this.#lose('emptied-message', 'dropped');
    else if (isSpoken) this.#put(role, blocks);
    else this.#instruct(blocks);
  }

  /** Neighbours of one role are one message: "roles must alternate". Answers stand before what the user says. */
  #put(role: BedrockMessage['role'], content: BedrockBlock[]): void {
    if (role === 'user' && this.#messages.at(-1)?.role === 'system') this.#hoistLast();
    const last = this.#messages.at(-1);
    if (role === 'user' && last && (last.content.at(-1) as BedrockReasoningBlock).reasoningContent) {
      last.content.push({ text: NO_WORDS });
      this.#repair('reasoning-words', 'added', undefined, this.#path('', this.#speakers.at(-1)));
    }
    if (last?.role === role && role !== 'system') {
      if (role === 'assistant') this.#repair('merged', 'moved', role);
      for (const block of content) last.content.push(block);
      // Another object: this one comes from no single message.
      this.#messages[this.#messages.length - 1] = { ...last };
      this.#speakers[this.#speakers.length - 1] = this.#index;
    } else {
      this.#add({ role, content }, this.#index);
      this.#speakers.push(this.#index);
    }
  }

  #add(message: BedrockMessage, index: number): void {
    this.#messages.push(message);
    this.#report.made(message, index);
  }

  /** Instructions may stay behind the user; where the user speaks next, they go to the top after all. */
  #instruct(blocks: BedrockBlock[]): void {
    const { role, origin } = this.#message;
    if (role === 'developer') this.#lose('developer-role', 'degraded', 'system', this.#path('.role'));
    const mayStay = this.#options.systemInMessages ?? keptOf(origin)?.['isPlaced'] === true;
    if (mayStay && ['user', 'system'].includes(this.#messages.at(-1)?.role ?? '')) this.#put('system', blocks);
    else this.#hoist(blocks);
  }

  #hoistLast(): void {
    const start = this.#messages.findLastIndex(({ role }) => role !== 'system') + 1;
    const places = this.#speakers.splice(start);
    this.#messages.splice(start).forEach(({ content }, at) => this.#hoist(content, places[at]));
  }

  #hoist(blocks: readonly BedrockBlock[], index = this.#index): void {
    const path = this.#path('', index);
    if (this.#messages.length > 0) {
      this.#isReordered = true;
      this.#lose('system-place', 'moved', 'top', path);
    }
    for (const block of blocks)
      if (OF_TOP.test(Object.keys(block)[0] as string)) this.#system.push(block);
      else this.#lose('part-role', 'dropped', 'system', this.#places.get(block));
  }

  /** Parts and calls, in true order. */
  #say(): void {
    const { content, toolCalls } = this.#message;
    const text = content.plainText;
    if (toolCalls.size > 0) this.#sent.clear();
    if (text !== undefined && hasWords(text)) this.#blocks.push(this.#made({ text }));
    if (text === '' || this.#blocks.length > 0)
      for (let at = 0; at < toolCalls.size; at++) this.#call(toolCalls.at(at) as ToolCall, at);
    else this.#sayInOrder();
  }

  #sayInOrder(): void {
    const { content, toolCalls } = this.#message;
    const calls = [...toolCalls];
    const context = this.#context();
    let at = 0;
    for (const block of this.#message.blocks()) {
      if (block.type === 'tool_call') this.#call(block.call, calls.indexOf(block.call));
      else {
        while (content.parts.at(at) !== block.part) at++;
        this.#at = `.content[${at++}]`;
        this.#place(encodePart(block.part, context), this.#blocks);
        this.#place(cachePointOf(block.part.fields), this.#blocks);
      }
    }
  }

  #context(): PartContext {
    return {
      role: this.#message.role,
      options: this.#options,
      lose: (rule, action, about) => this.#lose(rule, action, about),
      nameOf: (fileName, format) => {
        const name = documentName(fileName, this.#documents);
        if (![name, `${name}.${format}`, ''].includes(fileName)) this.#repair('document-name', 'rewritten', name);
        return name;
      },
    };
  }

  #place(block: BedrockBlock | undefined, blocks: object[]): void {
    if (block === undefined) return;
    blocks.push(block);
    const path = this.#path();
    this.#places.set(block, path);
    this.#hasLimits ||= 'document' in block || isCachePoint(block);
    this.#report.made(block, path);
  }

  /** Notes that a block is what the message says. */
  #made<Block extends object>(block: Block): Block {
    this.#report.made(block, this.#index);
    return block;
  }

  #call(call: ToolCall, at: number): void {
    const { extra, kind, origin = this.#message.origin } = call;
    const own = call.idString();
    const use = (this.#uses.get(own) ?? 0) + 1;
    this.#uses.set(own, use);
    // An id stands for one call of a request; no id holds a control character.
    const toolUseId = this.#ids.of(use === 1 ? own : `${own}\u0000${use}`);
    const name = this.#tools.of(call.name);
    // Put together only where something is to be told.
    const isPlain = toolUseId === own && name === call.name && extra === NO_FIELDS && !call.isMalformed();
    if (!isPlain || kind === 'custom') this.#at = `.toolCalls[${at}]`;
    if (toolUseId !== own) {
      this.#sent.set(own, toolUseId);
      this.#repair('call-id', 'rewritten', toolUseId);
    }
    if (name !== call.name) this.#repair('call-name', 'rewritten', name);
    const toolUse = { toolUseId, name, input: this.#input(call) };
    this.#addCall({ toolUse }, at);
    if (extra === NO_FIELDS) return;
    this.#addKeys(toolUse, extra, origin, 'tool-call-key');
    this.#place(cachePointOf(extra), this.#blocks);
  }

  /** What a call goes out with: an object, also for free text and for arguments that are none. */
  #input(call: ToolCall): BedrockObject {
    if (call.kind === 'custom') {
      this.#lose('custom-tool', 'degraded');
      return { input: call.argsText };
    }
    const isGood = !call.isMalformed() || this.#report.takesArguments(call, this.#path());
    return isGood ? (fresh(call.args) as BedrockObject) : {};
  }

  #addCall(block: BedrockToolUseBlock, at: number): void {
    if (this.#called.size === 0) this.#firstCall = this.#path(`.toolCalls[${at}]`);
    this.#called.add(block.toolUse.name);
    this.#blocks.push(block);
    if (this.#report.isTracing) this.#report.made(block, this.#path(`.toolCalls[${at}]`));
  }

  /** The answer to a call. No cache point may stand in it: those of its parts stand behind it. */
  #answer(): void {
    const { toolResult, content: said, origin } = this.#message;
    const { extra = NO_FIELDS, callId = '', status = 'ok', synthetic } = toolResult ?? {};
    const text = said.plainText;
    const isText = text !== undefined && hasWords(text);
    if (status !== 'ok' && status !== 'error' && !synthetic)
      this.#lose('status', 'degraded', status, this.#path('.toolResult.status'));
    const answer: BedrockToolResultBlock['toolResult'] = {
      toolUseId: this.#sent.get(callId) ?? callId,
      content: isText ? [{ text }] : this.#answerBlocks(),
    };
    if (status !== 'ok') answer.status = 'error';
    else if (keptOf(origin)?.['isSuccess'] === true) answer.status = 'success';
    this.#blocks.push(this.#made({ toolResult: answer }));
    if (isText && extra === NO_FIELDS) return;
    this.#at = '.toolResult';
    this.#addKeys(answer, extra, origin, 'tool-result-key');
    const points = [extra, ...said.parts.map(({ fields }) => fields)].map(cachePointOf);
    this.#place(
      points.find((point) => point !== undefined),
      this.#blocks,
    );
  }

  /** What a tool answered. Some models want words of each: "toolResult cannot be empty". */
  #answerBlocks(): BedrockToolResultBlock['toolResult']['content'] {
    const blocks: BedrockToolResultBlock['toolResult']['content'] = [];
    const context = this.#context();
    this.#message.content.parts.forEach((part, at) => {
      this.#at = `.content[${at}]`;
      if (!part.isMark()) this.#place(encodePart(part, context), blocks);
    });
    const { origin, toolResult } = this.#message;
    if (blocks.length > 0 || (keptOf(origin)?.['isEmpty'] === true && toolResult?.status === 'ok')) return blocks;
    this.#repair('empty-answer', 'added', NO_WORDS, this.#path(''));
    return [{ text: NO_WORDS }];
  }

  /** Unknown keys go back to where they came from. */
  #addKeys(target: object, extra: JsonObject, origin: Origin | undefined, rule: string): void {
    loseKeys(extra, [], (key) => {
      if (keptOf(origin) === undefined || Object.hasOwn(target, key))
        this.#lose(rule, 'dropped', key, this.#path(`${this.#at}.${key}`));
      else setOwn(target as Record<string, JsonValue>, key, fresh(extra[key] as JsonValue));
    });
  }

  close(): BedrockPayload {
    const system = this.#system as BedrockSystemBlock[];
    const messages = this.#messages;
    this.#closeEnds(messages.at(-1));
    if (this.#hasLimits) this.#limit([system, ...messages.map(({ content }) => content)]);
    const tools = this.#definitions();
    return { ...(system.length > 0 && { system }), messages, ...(tools.length > 0 && { toolConfig: { tools } }) };
  }

  /** "The toolConfig field must be defined when using toolUse and toolResult content blocks". */
  #definitions(): BedrockTool[] {
    const given = encodeTools(this.#options.tools ?? []);
    if (given.length > 0 || this.#called.size === 0) return given;
    const path = this.#firstCall;
    const names = [...this.#called];
    refuse(this.#report, path, 'missing_tools', 'calls go out beside the definitions of tools only: pass tools');
    this.#repair('tool-definitions', 'added', names.join(), path);
    const made = encodeTools(names.map((name) => ({ name })));
    this.#report.made(made, path);
    return made;
  }

  /**
   * The user speaks first ("A conversation must start with a user message") and, where the model asks for it, last. A
   * last text of the assistant has no whitespace at its end ("final assistant content cannot end with trailing
   * whitespace").
   */
  #closeEnds(last: BedrockMessage | undefined): void {
    const messages = this.#messages;
    const [first] = messages;
    if (last?.role === 'assistant') {
      const index = this.#speakers.at(-1) as number;
      const block = last.content.findLast((one) => !isCachePoint(one));
      if (this.#options.prefill === false) messages.push(this.#standIn('ends_with_assistant', '(go on)', index));
      else if (block && 'text' in block && /\s$/.test(block.text)) {
        block.text = block.text.trimEnd();
        this.#repair('prefill-whitespace', 'rewritten', undefined, this.#path('', index));
      }
    }
    if (first?.role !== 'user')
      messages.unshift(
        this.#standIn(first ? 'starts_with_assistant' : 'no_user_message', '(no message)', this.#speakers[0]),
      );
  }

  /** @throws MessageStoreError with this code where `invalid` is `'throw'` */
  #standIn(code: ErrorCode, text: string, index?: number): BedrockMessage {
    const message: BedrockMessage = { role: 'user', content: [{ text }] };
    const path = index === undefined ? 'messages' : this.#path('', index);
    const about = `"${text}" stands for the user`;
    refuse(this.#report, path, code, about);
    this.#report.repair(path, code.replaceAll('_', '-'), 'added', about);
    if (index !== undefined) this.#report.made(message, index);
    return message;
  }

  /**
   * Leaves only the last cache points, and puts a text beside documents ("If you include a ContentBlock with a document,
   * you must also include a ContentBlock with a text").
   */
  #limit(lists: readonly BedrockBlock[][]): void {
    const most = Math.min(this.#options.cachePoints ?? MAX_CACHE_POINTS, MAX_CACHE_POINTS);
    let surplus = lists.flat().filter(isCachePoint).length - most;
    for (const list of lists) {
      const document = list.find((block) => 'document' in block);
      if (document && !list.some((block) => 'text' in block)) {
        const path = this.#places.get(document) as string;
        const words = { text: '(no message)' };
        list.push(words);
        this.#report.made(words, path);
        this.#repair('document-words', 'added', undefined, path);
      }
      for (const point of list.filter(isCachePoint)) {
        if (surplus-- <= 0) break;
        list.splice(list.indexOf(point), 1);
        this.#lose('cache-marks', 'dropped', undefined, this.#places.get(point));
      }
    }
    if (!this.#isReordered) return;
    const [instructions = [], ...others] = lists.map((list) => list.filter(isCachePoint) as BedrockCachePointBlock[]);
    lengthenPoints(instructions, others.flat(), (point) =>
      this.#lose('cache-lifetime', 'degraded', '1h', this.#places.get(point)),
    );
  }
}

function isCachePoint(block: BedrockBlock): boolean {
  return 'cachePoint' in block;
}

/** What was done, for people: `tool name rewritten: "weather_x1"`. */
function sentence(rule: string, action: string, about?: string): string {
  return `${rule.replaceAll('-', ' ')} ${action}${about === undefined ? '' : `: ${JSON.stringify(about)}`}`;
}
