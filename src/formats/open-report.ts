import { type ErrorCode, MessageStoreError, reject } from '../errors.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { EncodeOptions, Loss, Repair, Report } from './format.ts';

/** Where something comes from: the place of a message among those that are encoded, or the path in what was given. */
export type Place = number | string;

/** The report of a request while that is made. */
export class OpenReport {
  readonly #losses: Loss[];
  readonly #repairs: Repair[];
  readonly #options: EncodeOptions;
  /** Whether what the wire refuses is an error, instead of being changed. */
  readonly isStrict: boolean;

  /** Beginning with what was lost and repaired before. */
  constructor({ losses, repairs }: Report, options: EncodeOptions) {
    this.#losses = [...losses];
    this.#repairs = [...repairs];
    this.#options = options;
    this.isStrict = options.invalid === 'throw';
  }

  /** Tells what the wire does not carry, or not in full. */
  lose(path: string, rule: string, action: Loss['action'], message: string): void {
    this.#losses.push({ path, rule, action, message });
  }

  /** Tells what was changed to make the request valid. */
  repair(path: string, rule: string, action: Repair['action'], message: string): void {
    this.#repairs.push({ path, rule, action, message });
  }

  /**
   * Whether the arguments of a call, which stands at `path`, can go out. Those that are no JSON object, as a model may
   * write them, are told: `{}` goes out instead.
   *
   * @throws InvalidInputError `malformed_arguments` where `invalid` is `'throw'`
   */
  takesArguments(call: ToolCall, path: string): boolean {
    if (!call.isMalformed()) return true;
    if (this.isStrict) reject(`${path}.arguments`, 'a JSON object', call.argsText, 'malformed_arguments');
    const about = `the arguments of ${JSON.stringify(call.idString())} are no JSON object`;
    this.repair(path, 'malformed-arguments', 'rewritten', `${about}: {} goes out instead`);
    return false;
  }

  /** Whether it is noted where each element of the payload comes from, so that shortcuts must not be taken. */
  readonly isTracing: boolean = false;

  /** Notes where an element of the payload comes from. Nothing here: it is noted where an explanation is asked for. */
  made(_element: object, _place: Place): void {}

  /**
   * All that was told, without the losses that the caller knows of.
   *
   * @throws MessageStoreError `losses` where a loss is to be an error
   */
  close(): Report {
    const losses = this.#losses.filter(({ rule }) => this.#options.acceptLosses?.includes(rule) !== true);
    if (this.#options.losses === 'throw' && losses.length > 0) throw lossError(losses);
    return { losses, repairs: this.#repairs };
  }
}

/** The error that losses are where they are refused; there is at least one. */
export function lossError(losses: readonly Loss[]): MessageStoreError {
  const [first] = losses as readonly [Loss];
  const more = losses.length === 1 ? '' : ` (and ${losses.length - 1} more)`;
  return new MessageStoreError('losses', `${first.path}: ${first.message}${more}`, {
    path: first.path,
    value: losses,
  });
}

/**
 * Refuses what the wire does not take, where that is asked for.
 *
 * @throws MessageStoreError with this code where `invalid` is `'throw'`
 */
export function refuse({ isStrict }: OpenReport, path: string, code: ErrorCode, message: string): void {
  if (isStrict) throw new MessageStoreError(code, `${path}: ${message}`, { path });
}
