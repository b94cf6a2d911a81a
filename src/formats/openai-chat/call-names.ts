import type { Messages } from '../../model/messages.ts';
import { WireNames } from '../wire-names.ts';
import type { OpenAIChatOptions } from './encode.ts';

/** "string too long. Expected a string with maximum length 64" is what the API answers to longer ids. */
const LONGEST_ID = 64;
/** The names of functions (openai package, FunctionDefinition). */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 53;

/** How the calls of a request go out. */
export interface CallNames {
  id(given: string): string;
  tool(given: string): string;
}

const AS_GIVEN: CallNames = /* @__PURE__ */ Object.freeze({
  id: (given: string) => given,
  tool: (given: string) => given,
});

/** Whether a call, or an answer, goes out under this id as it is. */
export function isLegalId(id: string): boolean {
  return id.length <= LONGEST_ID;
}

/** Whether a tool goes out under this name as it is. */
export function isLegalTool(name: string): boolean {
  return NAME.test(name);
}

/** The ids and names of a request's calls. Only one that has to change costs a look at all of them, so that no two meet. */
export function callNames(messages: Messages, options: OpenAIChatOptions): CallNames {
  if (options.callNames === 'verbatim') return AS_GIVEN;
  let made: CallNames | undefined;
  const names = (): CallNames => (made ??= namesOf(messages));
  return {
    id: (given) => (isLegalId(given) ? given : names().id(given)),
    tool: (given) => (isLegalTool(given) ? given : names().tool(given)),
  };
}

function namesOf(messages: Messages): CallNames {
  const ids = new WireNames(isLegalId, (_, hash) => `call_${hash}`);
  const tools = new WireNames(isLegalTool, (name, hash) => `${name.replaceAll(/[^\w-]/g, '_').slice(0, KEPT)}_${hash}`);
  for (const { toolCalls } of messages) {
    for (const { id = '', name } of toolCalls) {
      if (isLegalId(id)) ids.of(id);
      if (isLegalTool(name)) tools.of(name);
    }
  }
  return { id: (given) => ids.of(given), tool: (given) => tools.of(given) };
}
