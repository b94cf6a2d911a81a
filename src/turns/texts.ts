import type { ToolResultStatus } from '../schema/tool-result.ts';

/** What a made-up answer says where the caller says nothing else. */
export const CLOSED_TEXTS: Readonly<Record<Exclude<ToolResultStatus, 'ok'>, string>> = /* @__PURE__ */ Object.freeze({
  cancelled: 'Tool call was cancelled before it produced a result.',
  denied: 'Tool call was denied.',
  error: 'Tool call failed.',
});

/** What the answer says that repair makes up. */
export const REPAIRED_TEXT = 'Tool call was interrupted before it produced a result.';
