import type { Message } from '../../model/message.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Loss } from '../format.ts';
import type { OpenReport } from '../open-report.ts';
import type { WireNames } from '../wire-names.ts';
import type { OpenAIResponsesOptions } from './encode.ts';
import type { ItemIds } from './item-ids.ts';

/** What the messages of one request share while they are encoded. */
export interface Request {
  readonly report: OpenReport;
  readonly options: OpenAIResponsesOptions;
  readonly toolNames: WireNames;
  readonly itemIds: ItemIds;
}

/** A message that is encoded, and its place in what was given. Paths are put together when something is told. */
export interface Source {
  readonly message: Message;
  readonly place: number;
  readonly request: Request;
}

/** What stands in a message: the part of a number, or something by its path. */
export type At = number | string;

/** The path of something in a message. */
export function pathIn({ place }: Source, at: At): string {
  return `messages[${place}]${typeof at === 'number' ? `.content[${at}]` : at}`;
}

/** Tells what is lost. */
export function lose(source: Source, at: At, rule: string, action: Loss['action'], message: string): void {
  source.request.report.lose(pathIn(source, at), rule, action, message);
}

/** Tells what was changed to make the request valid. */
export function tell(source: Source, at: At, rule: string, action: Loss['action'], message: string): void {
  source.request.report.repair(pathIn(source, at), rule, action, message);
}

/** Something that does not go out, and why. */
export function dropped(source: Source, at: At, rule: string, what: string): undefined {
  lose(source, at, rule, 'dropped', `${what}: left out`);
}

/** Tells the keys that the wire does not know, as far as they say something; private ones are nobody's business. */
export function loseKeys(fields: JsonObject, known: readonly string[], rule: string, at: At, source: Source): void {
  for (const key of Object.keys(fields)) {
    if (key.startsWith('_') || known.includes(key)) continue;
    const value = fields[key];
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    dropped(source, at, rule, `this wire has no key ${JSON.stringify(key)}`);
  }
}

/** Tells what no message of this wire has: a participant's name, and keys that are unknown here. */
export function loseRest(source: Source): void {
  const { name, extra } = source.message;
  if (name !== '') dropped(source, '.name', 'name', 'this wire has no name');
  loseKeys(extra, [], 'message-key', '', source);
}

/** Tells that nothing of a message is left, where it said something. */
export function loseEmptied(source: Source): void {
  dropped(source, '', 'emptied-message', 'nothing that this wire carries is left of the message');
}
