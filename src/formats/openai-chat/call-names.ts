import type { Messages } from '../../model/messages.ts';
import { WireNames } from '../wire-names.ts';
import type { OpenAIChatOptions } from './encode.ts';
import { isLegalName } from './legal-name.ts';

/** "string too long. Expected a string with maximum length 64" is what the API answers to longer ids. */
const LONGEST_ID = 64;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 53;

/** How the calls of a request go out. */
export interface CallNames {
  id(given: string): string;
  tool(given: string): string;
}

/** Whether a call, or an answer, goes out under this id as it is. */
export function isLegalId(id: string): boolean {
  return id.length <= LONGEST_ID;
}

/** The ids and names of a request's calls. Only one that has to change costs a look at all of them, so that no two meet. */
export function callNames(messages: Messages, options: OpenAIChatOptions): CallNames {
  const isVerbatim = options.callNames === 'verbatim';
  let made: ReturnType<typeof namesOf> | undefined;
  const names = (): ReturnType<typeof namesOf> => (made ??= namesOf(messages));
  return {
    id: (given) => (isVerbatim || isLegalId(given) ? given : names().ids.of(given)),
    tool: (given) => (isVerbatim || isLegalName(given) ? given : names().tools.of(given)),
  };
}

function namesOf(messages: Messages): { readonly ids: WireNames; readonly tools: WireNames } {
  const ids = new WireNames(isLegalId, (_, hash) => `call_${hash}`);
  const tools = new WireNames(isLegalName, (name, hash) => `${name.replaceAll(/[^\w-]/g, '_').slice(0, KEPT)}_${hash}`);
  for (const { toolCalls } of messages) {
    for (const { id = '', name } of toolCalls) {
      if (isLegalId(id)) ids.of(id);
      if (isLegalName(name)) tools.of(name);
    }
  }
  return { ids, tools };
}
