import { isRecord } from '../../schema/json.ts';
import type { Assembly } from '../accumulator.ts';
import { failureOf } from '../failure.ts';
import type { Usage } from '../format.ts';
import { type Fields, originOf } from './origin.ts';
import { PartialCalls } from './partial-calls.ts';
import { PartialContent } from './partial-content.ts';
import { endOf } from './response.ts';

/** Puts the first choice together from the chunks of a stream, also as the JavaScript package spells them. */
export class ChatAssembly implements Assembly {
  readonly #content = new PartialContent();
  readonly #calls = new PartialCalls();
  /** What else the message has. */
  #others: Fields = {};
  #choices = 1;
  #finish: string | undefined;
  #usage: Fields | undefined;
  #model: string | undefined;
  failure: string | undefined;

  /** Takes a chunk, or the event of the package that holds it. */
  add(event: Fields): void {
    const chunk: Fields = isRecord(event['data']) ? event['data'] : event;
    const { choices, usage, model, error = chunk['object'] === 'error' ? chunk : undefined } = chunk;
    if (typeof model === 'string') this.#model = model.toWellFormed();
    if (isRecord(usage)) this.#usage = usage;
    if (error) this.failure = failureOf(error);
    if (Array.isArray(choices)) for (const choice of choices as readonly unknown[]) this.#addChoice(choice);
  }

  #addChoice(choice: unknown): void {
    if (!isRecord(choice)) return;
    const { index, delta, finish_reason: finish = choice['finishReason'] } = choice;
    if (typeof index === 'number' && index > 0) {
      this.#choices = Math.max(this.#choices, index + 1);
      return;
    }
    if (typeof finish === 'string' && finish !== '') this.#finish = finish;
    if (isRecord(delta)) for (const key in delta) this.#addField(key, delta[key]);
  }

  #addField(key: string, value: unknown): void {
    if (value === null || value === undefined || key === 'role' || key === 'index') return;
    if (key === 'content') this.#content.add(value, this.#model);
    else if (key === 'tool_calls' || key === 'toolCalls') {
      if (Array.isArray(value)) for (const fragment of value as readonly unknown[]) this.#calls.add(fragment);
    } else {
      const before = this.#others[key];
      const isText = typeof before === 'string' && typeof value === 'string';
      this.#others = { ...this.#others, [key]: isText ? before + value : value };
    }
  }

  said(): ReturnType<Assembly['said']> {
    const content = this.#content.soFar(this.#model);
    const toolCalls = this.#calls.soFar();
    if (content.isEmpty() && toolCalls.isEmpty()) return undefined;
    return { content, toolCalls, ...(this.#model !== undefined && { origin: originOf({}, this.#model) }) };
  }

  usage(): Usage | undefined {
    return endOf({}, this.#usage).usage;
  }

  /** The end is told by the reason. */
  response(): unknown {
    if (this.#finish === undefined) return undefined;
    const calls = this.#calls.whole();
    const content = this.#content.whole();
    const message = { role: 'assistant', ...this.#others, content, ...(calls.length > 0 && { tool_calls: calls }) };
    const others = Array.from({ length: this.#choices - 1 }, () => ({}));
    return { model: this.#model, usage: this.#usage, choices: [{ message, finish_reason: this.#finish }, ...others] };
  }
}
