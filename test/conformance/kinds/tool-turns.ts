import { readFileSync } from 'node:fs';
import { anthropic } from '../../../src/formats/anthropic/index.ts';
import { gemini } from '../../../src/formats/gemini/index.ts';
import { ollama } from '../../../src/formats/ollama/index.ts';
import { type DecodeOptions, openaiChat } from '../../../src/formats/openai-chat/index.ts';
import type { Messages } from '../../../src/index.ts';
import {
  type Answer,
  type AssistantTurnFields,
  type Change,
  type Repaired,
  Message,
  MessageStore,
  MessageStoreError,
  repair,
  runPendingTools,
  runTools,
  Section,
  ToolResult,
  type Tools,
  type ToolResultStatus,
  TurnError,
  turns,
  validate,
} from '../../../src/index.ts';
import { matches } from '../compare.ts';
import type { Result } from '../result.ts';

interface Case {
  readonly id: string;
  readonly area: string;
  readonly input: {
    readonly history?: readonly Plain[];
    readonly sections?: Readonly<Record<string, readonly Plain[]>>;
  };
  readonly operation: readonly Step[];
  readonly expected: Readonly<Record<string, unknown>>;
}

/** A message in the words of the cases. */
interface Plain {
  readonly role: Message['role'];
  readonly text: string;
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments?: string }[];
  readonly toolCallId?: string;
  readonly name?: string;
  readonly status?: ToolResultStatus;
  readonly synthetic?: boolean;
}

type Step = { readonly op: string; readonly section?: string } & Readonly<Record<string, unknown>>;

/** What the cases call the wire of each format. */
const FORMATS: Readonly<Record<string, Wire>> = {
  'openai-chat': {
    decode: (messages, options) => openaiChat.decode({ messages }, options).messages,
    encode: (messages, { emptyContent, malformedArguments }) =>
      openaiChat.encode(messages, {
        ...(emptyContent !== undefined && {
          emptyContent: emptyContent === null || emptyContent === 'null' ? 'null' : 'text',
        }),
        malformedArguments: malformedArguments === 'verbatim' ? 'verbatim' : 'empty',
      }).payload.messages,
  },
  anthropic: {
    decode: (messages, options) => anthropic.decode({ messages }, options).messages,
    encode: (messages) => anthropic.encode(messages).payload,
  },
  gemini: {
    decode: (contents, options) => gemini.decode({ contents }, options).messages,
    encode: (messages) => gemini.encode(messages).payload.contents,
  },
  ollama: {
    decode: (messages, options) => ollama.decode({ messages }, options).messages,
    encode: (messages) => ollama.encode(messages).payload.messages,
  },
};

interface Wire {
  decode(messages: unknown, options: DecodeOptions): Messages;
  encode(messages: Messages, step: Step): unknown;
}

/** Steps of formats that are not there yet. */
const isLater = ({ op, format }: Step): boolean =>
  (op === 'toWire' || op === 'fromWire') && !Object.hasOwn(FORMATS, format as string);

/** Runs steps on tool turns in the words of the cases. */
export async function* run(files: readonly string[]): AsyncGenerator<Result> {
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]) yield await judge(one);
  }
}

async function judge(one: Case): Promise<Result> {
  const { area, id, expected, operation } = one;
  if (operation.some(isLater)) return { area, id, status: 'skipped', reason: 'later work: other formats' };
  const got = await new Player(storeOf(one.input)).play(operation);
  const seen = named(expected, { ...got, error: named(expected['error'], got['error']) });
  return matches(expected, seen) ? { area, id, status: 'passed' } : { area, id, status: 'failed', expected, got: seen };
}

/** As much of what is there as a case names. */
function named(expected: unknown, got: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || typeof got !== 'object' || got === null) return got;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, got[key as never]]));
}

/** Plays steps on a store and remembers what there is to see. */
class Player {
  #store: MessageStore;
  readonly #seen: Record<string, unknown> = {};

  constructor(store: MessageStore) {
    this.#store = store;
  }

  async play(steps: readonly Step[]): Promise<Record<string, unknown>> {
    for (const [at, step] of steps.entries()) {
      try {
        await this.#step(step);
      } catch (error) {
        if (!MessageStoreError.isInstance(error)) throw error;
        this.#seen['error'] = errorOf(error, at);
        break;
      }
    }
    const chat = turns(this.#store, 'chat');
    const pending = chat.pending().map(({ id }) => id);
    return {
      ...this.#seen,
      history: plainOf(this.#store.section('chat').messages()),
      sections: Object.fromEntries(this.#store.sections.map(({ name, messages }) => [name, plainOf(messages)])),
      pending,
      state: pending.length > 0 ? 'open' : 'idle',
    };
  }

  async #step(step: Step): Promise<void> {
    const { op, section = 'chat' } = step;
    const chat = turns(this.#store, section);
    switch (op) {
      case 'appendUser':
        this.#store = chat.appendUser(step['text'] as string, { ifPending: (step['ifPending'] ?? 'throw') as 'throw' });
        return;
      case 'appendSystem':
        this.#store = chat.appendSystem(step['text'] as string);
        return;
      case 'appendAssistantTurn': {
        const { text, toolCalls, onMalformedCall } = step;
        this.#store = chat.appendAssistant({ content: text, toolCalls, onMalformedCall } as AssistantTurnFields);
        return;
      }
      case 'answerToolCall': {
        const { content, status } = step;
        this.#store = chat.answer(handleOf(step), content, { status: status as ToolResultStatus | undefined });
        return;
      }
      case 'answerToolCalls':
        this.#store = chat.answerAll(
          (step['answers'] as readonly Step[]).map((answer): Answer => ({
            call: handleOf(answer),
            value: answer['content'],
            status: answer['status'] as ToolResultStatus | undefined,
          })),
        );
        return;
      case 'closeToolTurn': {
        const { op: _op, section: _section, ...options } = step;
        this.#store = chat.close(options);
        return;
      }
      case 'appendMessages':
        this.#store = chat.appendMessages((step['messages'] as readonly Plain[]).map(messageOf));
        return;
      case 'removeMessage':
        this.#store = chat.removeMessage(step['index'] as number);
        return;
      case 'removeToolTurn':
        this.#store = chat.removeToolTurn(step['turn'] as number);
        return;
      case 'keepLast':
        this.#store = chat.keepLast(step['count'] as number);
        return;
      case 'assertComplete':
        chat.assertComplete();
        return;
      case 'pendingToolCalls':
        this.#seen['value'] = chat
          .pending()
          .map(({ id, name, arguments: text, turn }) => ({ id, name, arguments: text, turn }));
        return;
      case 'toolCallArguments':
        this.#seen['value'] = this.#argumentsOf(section, step['id'] as string);
        return;
      case 'serializeRoundTrip':
        this.#store = MessageStore.parse(JSON.stringify(this.#store));
        return;
      case 'branch':
        this.#seen['branches'] = await Promise.all(
          (step['branches'] as readonly (readonly Step[])[]).map(async (steps) => {
            const { history, pending } = await new Player(this.#store).play(steps);
            return { history, pending };
          }),
        );
        return;
      case 'fromWire': {
        const strict = step['mode'] !== 'repair';
        const messages = wireOf(step).decode(step['messages'], { strict });
        this.#keep(section, strict ? { messages, changes: [] } : repair(messages));
        return;
      }
      case 'toWire': {
        const messages = this.#store.section(section).messages();
        this.#seen['wire'] = wireOf(step).encode(messages, step);
        return;
      }
      case 'render': {
        const order = step['order'] as readonly string[];
        for (const name of order) turns(this.#store, name).assertComplete();
        this.#seen['value'] = plainOf(this.#store.select(order).toMessages());
        return;
      }
      case 'validate':
        this.#seen['violations'] = validate(this.#store.section(section).messages(), {
          allowOpenTail: (step['allowOpenTail'] ?? true) as boolean,
        }).map(({ code, id, at }) => ({ code, id, at }));
        return;
      case 'repair': {
        const keepOpenTail = (step['keepOpenTail'] ?? true) as boolean;
        this.#keep(section, repair(this.#store.section(section).messages(), { keepOpenTail }));
        return;
      }
      case 'executePending': {
        const { store } = await runPendingTools(this.#store, {
          section,
          tools: toolsOf(step['tools']),
          allowed: step['allowed'] as readonly string[] | undefined,
        });
        this.#store = store;
        return;
      }
      case 'runLoop':
        return this.#runLoop(step, section);
      default:
        throw new Error(`unknown step ${op}`);
    }
  }

  async #runLoop(step: Step, section: string): Promise<void> {
    const modelCalls: unknown[] = [];
    const answers = step['model'] as readonly {
      readonly text?: string;
      readonly toolCalls?: AssistantTurnFields['toolCalls'];
    }[];
    const { store, iterations, truncated } = await runTools(this.#store, {
      section,
      tools: toolsOf(step['tools']),
      maxIterations: step['maxIterations'] as number | undefined,
      model: (messages, { tools }) => {
        modelCalls.push({ tools: tools.length > 0, messages: openaiChat.encode(messages).payload.messages });
        const { text, toolCalls } = answers[modelCalls.length - 1] ?? {};
        return { content: text, toolCalls };
      },
    });
    this.#store = store;
    Object.assign(this.#seen, { modelCalls, iterations, truncated });
  }

  #keep(section: string, { messages, changes }: Repaired): void {
    this.#store = this.#store.section(section).setMessages(messages);
    this.#seen['changes'] = changes.map(withoutPlace);
  }

  #argumentsOf(section: string, id: string): unknown {
    const calls = [...this.#store.section(section).messages()].map(({ toolCalls }) => toolCalls.getById(id));
    const call = calls.findLast((one) => one !== undefined);
    return call && { raw: call.argsText, parsed: call.isMalformed() ? {} : call.args, valid: !call.isMalformed() };
  }
}

function wireOf({ format }: Step): Wire {
  return FORMATS[format as string] as Wire;
}

function handleOf({ id, turn }: Readonly<Record<string, unknown>>): { readonly id: string; readonly turn?: number } {
  return { id: id as string, ...(turn !== undefined && { turn: turn as number }) };
}

function errorOf(error: MessageStoreError, step: number): unknown {
  const { code, path, value } = error;
  if (!(error instanceof TurnError))
    return { code, step, ids: value, at: Number(/^messages\[(\d+)\]/.exec(path)?.[1]) };
  return { code, step, ids: error.ids, at: error.callIndex ?? error.index };
}

function withoutPlace({ at: _at, ...change }: Change): unknown {
  return change;
}

function toolsOf(given: unknown): Tools {
  type Script = { readonly returns?: unknown; readonly throws?: string; readonly needsApproval?: boolean };
  return Object.fromEntries(
    Object.entries(given as Record<string, Script>).map(([name, { returns, throws, needsApproval }]) => [
      name,
      {
        needsApproval,
        run: () => {
          if (throws !== undefined) throw new Error(throws);
          return returns;
        },
      },
    ]),
  );
}

function storeOf({ history, sections = { chat: history ?? [] } }: Case['input']): MessageStore {
  return MessageStore.fromSections(
    ...Object.entries(sections).map(([name, messages]) => Section.of(name, messages.map(messageOf))),
  );
}

function messageOf({ role, text, toolCalls = [], toolCallId, name, status, synthetic }: Plain): Message {
  if (role !== 'tool') return Message.of({ role, content: text, toolCalls: toolCalls.map((call) => ({ ...call })) });
  const toolResult = ToolResult.of({ content: text, callId: toolCallId, toolName: name, status, synthetic });
  return Message.of({ role, toolResult });
}

/** Answers have the name of their call where they have none of their own. */
function plainOf(messages: Messages): Plain[] {
  const names = new Map<string, string>();
  messages.forEach(({ toolCalls }) => toolCalls.forEach((call) => names.set(call.idString(), call.name)));
  return messages.map(({ role, content, toolCalls, toolResult }) => ({
    role,
    text: content.toString(),
    ...(toolCalls.size > 0 && {
      toolCalls: toolCalls.map((call) => ({ id: call.idString(), name: call.name, arguments: call.argsText })),
    }),
    ...(toolResult && {
      toolCallId: toolResult.callIdString(),
      name: toolResult.toolName ?? names.get(toolResult.callIdString()) ?? '',
      status: toolResult.status,
      ...(toolResult.synthetic && { synthetic: true }),
    }),
  }));
}
