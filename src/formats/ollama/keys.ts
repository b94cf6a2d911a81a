/** The keys of a message that the wire has a meaning for: what goes out under them is never copied from unknown keys. */
export const MESSAGE_KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'role',
  'content',
  'thinking',
  'images',
  'tool_calls',
  'tool_name',
  'tool_call_id',
]);
/** The same on a tool call. */
export const CALL_KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set(['id', 'type', 'function']);
/** The same on the `function` of a tool call. */
export const FUNCTION_KEYS: ReadonlySet<string> = /* @__PURE__ */ new Set(['name', 'arguments', 'index']);
