import type { Message } from '../../model/message.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { WireNames } from '../wire-names.ts';
import type { GeminiOptions } from './options.ts';
import type { Fields } from './origin.ts';

/** What is the same for all messages of a request. */
export interface Making {
  readonly report: OpenReport;
  readonly options: GeminiOptions;
  readonly toolNames: WireNames;
}

/** A place in a message: the number of a part, or what a path goes on with. */
export type At = number | string;

/** A message that is encoded, where it stands, and for which request. */
export class Source {
  readonly message: Message;
  readonly making: Making;
  readonly #index: number;

  constructor(message: Message, index: number, making: Making) {
    this.message = message;
    this.making = making;
    this.#index = index;
  }

  /** Where a place of the message is in what was given. */
  path(at: At): string {
    return `messages[${this.#index}]${typeof at === 'number' ? `.content[${at}]` : at}`;
  }

  /** Tells what is lost. */
  lose(at: At, rule: string, action: Loss['action'], message: string): void {
    this.making.report.lose(this.path(at), rule, action, message);
  }

  /** Tells that something is left out. */
  drop(at: At, rule: string, what: string): undefined {
    this.lose(at, rule, 'dropped', `${what} has no place on this wire: left out`);
  }

  /** Tells the keys that the wire does not know; those that are null say nothing, private ones are nobody's business. */
  dropKeys(at: At, fields: Fields, known: readonly string[]): void {
    for (const key in fields)
      if (!known.includes(key) && !key.startsWith('_') && fields[key] !== null)
        this.drop(at, 'key', `the key ${JSON.stringify(key)}`);
  }

  /** Notes that an element of the payload comes from there. */
  made<Element extends object>(element: Element, at: At): Element {
    const { report } = this.making;
    if (report.isTracing) report.made(element, this.path(at));
    return element;
  }
}
