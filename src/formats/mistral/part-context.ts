import type { JsonObject } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { MessageRole } from '../../schema/role.ts';
import type { Loss } from '../format.ts';
import type { MistralOptions } from './options.ts';
import { othersOf } from './origin.ts';

/** What has to be known of a part beside itself. */
export interface PartContext {
  readonly role: MessageRole;
  /** Where its message comes from. */
  readonly origin?: Origin | undefined;
  readonly options: MistralOptions;
  /** Tells what is lost of the part. */
  readonly lose: (rule: string, action: Loss['action'], message: string) => void;
}

/** Tells that something does not go out. */
export function drop({ lose }: PartContext, rule: string, what: string): undefined {
  lose(rule, 'dropped', `no place for ${what}: left out`);
}

/** Tells the fields that are not carried. */
export function tellOthers(fields: JsonObject, carried: readonly string[], { lose }: PartContext): void {
  othersOf(fields, carried, false, (_key, message) => lose('part-key', 'dropped', message));
}
