import type { Message } from '../../model/message.ts';
import { limitBlocks } from './limits.ts';
import { closeEnds } from './ends.ts';
import { encodeAnswer, encodeSaid, type Making } from './encode-message.ts';
import { kindOf } from './kind.ts';
import { shapeOf } from './origin.ts';
import type { BedrockBlock, BedrockMessage, BedrockPayload, BedrockSystemBlock } from './wire.ts';

/** The blocks of instructions may be these (`@aws-sdk/client-bedrock-runtime`, SystemContentBlock). */
const OF_SYSTEM: ReadonlySet<string> = /* @__PURE__ */ new Set(['text', 'cachePoint', 'guardContent']);

/** Instructions that stand among the messages, if the assistant speaks next. */
interface Waiting {
  readonly content: BedrockBlock[];
  readonly index: number;
}

/** The conversation part of a request while it is made. */
export class Request {
  readonly #making: Making;
  readonly #system: BedrockBlock[] = [];
  readonly #messages: BedrockMessage[] = [];
  /** The index of what spoke last in each message of the request. */
  readonly #speakers: number[] = [];
  #waiting: Waiting[] = [];
  /** Whether the last message holds nothing but answers so far. */
  #hasOnlyAnswers = false;

  constructor(making: Making) {
    this.#making = making;
  }

  add(message: Message, index: number): void {
    const { role } = message;
    if (role === 'tool') return this.#say('user', encodeAnswer(message, index, this.#making), index, true);
    const blocks = encodeSaid(message, index, this.#making);
    if (role !== 'user' && role !== 'assistant') return this.#instruct(message, blocks, index);
    if (blocks.length === 0 || (blocks.every(isCachePoint) && this.#messages.at(-1)?.role !== role))
      return this.#loseEmptied(index);
    if (this.#waiting.length > 0) this.#place(role === 'assistant');
    this.#say(role, blocks, index);
  }

  #say(role: 'user' | 'assistant', blocks: BedrockBlock[], index: number, isAnswer = false): void {
    if (this.#making.options.mixedTurns === false) this.#putApart(role, blocks, index, isAnswer);
    else this.#put(role, blocks, index, isAnswer);
  }

  #loseEmptied(index: number): void {
    const { report, pathOf } = this.#making;
    report.lose(pathOf(index), 'emptied-message', 'dropped', 'nothing is left: left out');
  }

  /** Neighbours of one role are one message: "roles must alternate". Answers stand before what the user says. */
  #put(role: BedrockMessage['role'], content: BedrockBlock[], index: number, isAnswer = false): void {
    const { report, pathOf } = this.#making;
    const last = this.#messages.at(-1);
    if (last?.role === role && role !== 'system') {
      if (!this.#hasOnlyAnswers)
        report.repair(pathOf(index), 'merged', 'moved', `the ${role}’s words go out as one message`);
      for (const block of content) last.content.push(block);
      this.#speakers[this.#speakers.length - 1] = index;
      this.#hasOnlyAnswers &&= isAnswer;
    } else {
      this.#messages.push({ role, content });
      this.#speakers.push(index);
      this.#hasOnlyAnswers = isAnswer;
    }
  }

  /**
   * Where the model takes no words beside calls or answers ("Conversation blocks and tool result blocks cannot be
   * provided in the same turn"): the words of an assistant before its calls, those of the user behind the answers, and
   * a placeholder of the other side between.
   */
  #putApart(role: 'user' | 'assistant', content: BedrockBlock[], index: number, isAnswer: boolean): void {
    const words = content.filter((block) => !isOfTool(block));
    const isMixed = words.length < content.length && !words.every(isCachePoint);
    const runs = isMixed ? [words, content.filter(isOfTool)] : [content];
    for (const run of runs) {
      const last = this.#messages.at(-1);
      if (last?.role === role && last.content.some(isOfTool) !== run.some(isOfTool)) this.#standBetween(role, index);
      this.#put(role, run, index, isAnswer);
    }
  }

  #standBetween(role: 'user' | 'assistant', index: number): void {
    const { report, pathOf } = this.#making;
    const text = '(go on)';
    report.repair(pathOf(index), 'mixed-turn', 'added', `the model takes no words beside tools: "${text}"`);
    this.#put(role === 'user' ? 'assistant' : 'user', [{ text }], index);
  }

  #instruct(message: Message, blocks: BedrockBlock[], index: number): void {
    const { report, pathOf, options } = this.#making;
    if (message.role === 'developer')
      report.lose(`${pathOf(index)}.role`, 'developer-role', 'degraded', 'this wire has no developer: system goes out');
    if (blocks.length === 0) return this.#loseEmptied(index);
    const mayStay = options.systemInMessages ?? shapeOf(message).place === 'messages';
    if (mayStay && this.#messages.at(-1)?.role === 'user') this.#waiting.push({ content: blocks, index });
    else this.#hoist(blocks, index);
  }

  /** Lets instructions stay behind the user, where the assistant or nothing follows; else they go to the top. */
  #place(mayStay: boolean): void {
    for (const { content, index } of this.#waiting)
      if (mayStay) this.#put('system', content, index);
      else this.#hoist(content, index);
    this.#waiting = [];
  }

  #hoist(blocks: readonly BedrockBlock[], index: number): void {
    const { report, pathOf, places } = this.#making;
    if (this.#messages.length > 0) report.lose(pathOf(index), 'system-place', 'moved', 'instructions go to the top');
    for (const block of blocks) {
      const kind = kindOf(block) as string;
      if (OF_SYSTEM.has(kind)) this.#system.push(block);
      else
        report.lose(
          places.get(block) ?? pathOf(index),
          'part-role',
          'dropped',
          `instructions hold no ${kind}: left out`,
        );
    }
  }

  close(): BedrockPayload {
    this.#place(true);
    const system = this.#system as BedrockSystemBlock[];
    const messages = this.#messages;
    closeEnds(messages, this.#speakers, this.#making);
    if (this.#making.places.size > 0) limitBlocks([system, ...messages.map(({ content }) => content)], this.#making);
    return { ...(system.length > 0 && { system }), messages };
  }
}

function isOfTool(block: BedrockBlock): boolean {
  return 'toolUse' in block || 'toolResult' in block;
}

function isCachePoint(block: BedrockBlock): boolean {
  return 'cachePoint' in block;
}
