import type { Message } from '../../model/message.ts';
import type { OpenReport } from '../open-report.ts';
import type { Prepared } from '../prepare.ts';
import { callNames } from './call-names.ts';
import type { OpenAIChatOptions } from './encode.ts';
import { encodeFrequent } from './encode-frequent.ts';
import { type Context, MessageEncoder } from './encode-message.ts';
import { joined } from './joined.ts';
import type { ChatMessage, OpenAIChatPayload } from './wire.ts';

/** A request while it is made. */
export class RequestBuilder {
  readonly #messages: ChatMessage[] = [];
  readonly #context: Context;
  readonly #placeOf: Prepared['placeOf'];

  constructor({ messages, placeOf }: Prepared, report: OpenReport, options: OpenAIChatOptions) {
    this.#context = { report, options, names: callNames(messages, options), media: [] };
    this.#placeOf = placeOf;
  }

  add(message: Message, index: number): void {
    const { report, options } = this.#context;
    if (message.role !== 'tool') this.#addMedia();
    const encoded =
      (report.isTracing ? undefined : encodeFrequent(message, options)) ??
      new MessageEncoder(message, this.#pathOf(index), this.#context).encode();
    if (encoded === undefined) return;
    const last = this.#messages.at(-1);
    if (options.alternate === true && last?.role === encoded.role && encoded.role !== 'tool') {
      const about = `joined to the ${encoded.role} message before it`;
      report.lose(this.#pathOf(index), 'alternation', 'moved', about);
      this.#messages.splice(-1, 1, joined(last, encoded));
    } else {
      report.made(encoded, index);
      this.#messages.push(encoded);
    }
  }

  #pathOf(index: number): string {
    return `messages[${this.#placeOf(index)}]`;
  }

  /** What tools gave beside text goes to the user, behind all answers of the turn: only users may send it. */
  #addMedia(): void {
    const { media } = this.#context;
    if (media.length > 0) this.#messages.push({ role: 'user', content: media.splice(0) });
  }

  close(): OpenAIChatPayload {
    this.#addMedia();
    return { messages: this.#messages };
  }
}
