/** Orders of sections for {@link assemble}; those that a store does not have are skipped. */
export const layouts: {
  /** A conversation: what stays the same first, so that a prompt cache can hold it, and what is asked now last. */
  readonly chat: readonly string[];
  /** A structured request: a cached and a live part, each with prompt, examples and messages, and what stands before and behind. */
  readonly structured: readonly string[];
} = /* @__PURE__ */ Object.freeze({
  chat: /* @__PURE__ */ Object.freeze([
    'system',
    'developer',
    'examples',
    'summary',
    'buffer',
    'history',
    'messages',
    'prompt',
    'retries',
  ]),
  structured: /* @__PURE__ */ Object.freeze([
    'system',
    'pre-cached',
    'pre-cached-prompt',
    'cached-prompt',
    'post-cached-prompt',
    'pre-cached-examples',
    'cached-examples',
    'post-cached-examples',
    'cached-messages',
    'post-cached',
    'pre-prompt',
    'prompt',
    'post-prompt',
    'pre-examples',
    'examples',
    'post-examples',
    'pre-messages',
    'messages',
    'post-messages',
    'pre-retries',
    'retries',
    'post-retries',
  ]),
});
