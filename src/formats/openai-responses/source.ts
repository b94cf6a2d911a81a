import type { Message } from '../../model/message.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Repair } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { WireNames } from '../wire-names.ts';
import type { OpenAIResponsesOptions } from './encode.ts';

/** What the messages of one request share while they are encoded. */
export interface Request {
  readonly report: OpenReport;
  readonly options: OpenAIResponsesOptions;
  readonly toolNames: WireNames;
  /** The ids of items that went out. */
  readonly itemIds: Set<string>;
}

/** A message that is encoded, and its place in what was given. Paths are put together when something is told. */
export interface Source extends Request {
  readonly message: Message;
  readonly place: number;
}

/** What stands in a message: the part of a number, or something by its path. */
export type At = number | string;

/** The path of something in a message. */
export function pathIn({ place }: Source, at: At): string {
  return `messages[${place}]${typeof at === 'number' ? `.content[${at}]` : at}`;
}

/** An element of the payload, of which is noted where it comes from. */
export function made<Element extends object>(element: Element, at: At, source: Source): Element {
  const { report } = source;
  if (report.isTracing) report.made(element, pathIn(source, at));
  return element;
}

/** Tells what was changed to make the request valid. */
export function tell(source: Source, at: At, rule: string, action: Repair['action'], message: string): void {
  source.report.repair(pathIn(source, at), rule, action, message);
}

/** Something that does not go out, and why. */
export function dropped(source: Source, at: At, rule: string, what: string): undefined {
  source.report.lose(pathIn(source, at), rule, 'dropped', `${what}: left out`);
}

/** Tells the keys that the wire does not know, as far as they say something; private ones are nobody's business. */
export function loseKeys(fields: JsonObject, known: readonly string[], at: At, source: Source): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    const isSaid = value !== null && !(Array.isArray(value) && value.length === 0);
    if (isSaid && !key.startsWith('_') && !known.includes(key))
      dropped(source, at, 'key', `the key ${JSON.stringify(key)}`);
  }
}
