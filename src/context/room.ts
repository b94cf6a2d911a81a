import { reject } from '../errors.ts';
import { toolDefinitions, type ToolList } from '../turns/tool-definitions.ts';
import { isRecord } from '../schema/json.ts';
import { requestTokens, textTokens } from './count-tokens.ts';
import { isTokens } from './policy.ts';
import type { MessageCounter } from './token-counter.ts';
import { tokenEstimate } from './token-estimate.ts';

/** What a budget must also hold beside messages. */
export interface Reserve {
  /** Tokens for what the model will say. */
  readonly output?: number | undefined;
  /** The tools that it is told of, which are counted, or their tokens. */
  readonly tools?: number | ToolList | undefined;
}

/** How much may go out, and who counts. */
export interface FitOptions {
  /** The tokens that the whole request may take, what is reserved among them. Default: no limit but those of sections. */
  readonly budget?: number | undefined;
  /** What the budget must also hold: tokens for the output, or for output and tools. Default: nothing. */
  readonly reserve?: number | Reserve | undefined;
  /** What counts tokens. Default: {@link tokenEstimate}. */
  readonly counter?: MessageCounter | undefined;
  /**
   * `'user'`: where exchanges are left out of a section, what stays of it begins with what the user says: with the next
   * message of theirs, or with the last one before a running tool loop, which then stays beside its newest exchanges. Of
   * a section behind which others stand nothing stays without one. Default: it begins with any exchange that fits.
   */
  readonly startWith?: 'user' | undefined;
}

/** How much there is, and who counts. */
export interface Room {
  readonly budget: number | undefined;
  /** The tokens that are kept for the output and for tools. */
  readonly reserved: number;
  /** What a request costs beside its messages. */
  readonly perRequest: number;
  readonly counter: MessageCounter;
  readonly startWith: 'user' | undefined;
}

/**
 * The room that options leave.
 *
 * @throws InvalidInputError naming what is no number of tokens
 */
export function roomOf({ budget, reserve = 0, counter = tokenEstimate, startWith }: FitOptions): Room {
  if (budget !== undefined) tokensIn(budget, 'budget');
  if (startWith !== undefined && startWith !== 'user') reject('startWith', '"user"', startWith);
  const { output = 0, tools = 0 }: Reserve = isRecord(reserve) ? reserve : { output: reserve };
  const forTools = typeof tools === 'number' ? tokensIn(tools, 'reserve.tools') : toolTokens(tools, counter);
  const perRequest = requestTokens(counter);
  const forOutput = tokensIn(output, isRecord(reserve) ? 'reserve.output' : 'reserve');
  return { budget, reserved: forOutput + forTools, perRequest, counter, startWith };
}

function tokensIn(value: unknown, path: string): number {
  return isTokens(value) ? value : reject(path, 'tokens: a number from 0 on', value);
}

/** The tokens of tools as a model reads them: their names, descriptions and schemas. */
function toolTokens(tools: ToolList, counter: MessageCounter): number {
  const texts = typeof counter === 'function' ? tokenEstimate : counter;
  return toolDefinitions(tools, /./).reduce((sum, tool) => sum + textTokens(JSON.stringify(tool), texts), 0);
}
