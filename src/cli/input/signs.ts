import { isRecord } from '../../schema/json.ts';

/**
 * What is seen of a conversation that may tell its format, as words: the level, the key, and what stands there, as in
 * `body.contents`, `item.role=model`, `block.type=tool_use`, `function.arguments:object`. Only own keys count.
 *
 * The levels: `body`, the request or response; `item`, a message; `block`, a part of its content, `union` where that
 * has no `type`; `part`, the same of what has `parts`; `call`, a tool call, and `function` in it.
 */
export function signsOf(value: unknown): ReadonlySet<string> {
  const signs = new Set<string>();
  if (Array.isArray(value) && value.length === 0) signs.add('empty');
  addFields(signs, 'body', value);
  addBlocks(signs, at(value, 'system'));
  for (const item of itemsOf(value)) addItem(signs, item);
  return signs;
}

/** The messages of a request, a response or a list; anything else may be one itself. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const lists = ['messages', 'contents', 'input', 'output'].map((key) => at(value, key)).find(Array.isArray);
  if (lists !== undefined) return lists;
  const answers = [
    at(value, 'message'),
    at(at(value, 'output'), 'message'),
    ...listOf(at(value, 'choices')).map((choice) => at(choice, 'message')),
    ...listOf(at(value, 'candidates')).map((candidate) => at(candidate, 'content')),
  ].filter(isRecord);
  return answers.length > 0 ? answers : [value];
}

function addItem(signs: Set<string>, item: unknown): void {
  addFields(signs, 'item', item);
  addBlocks(signs, at(item, 'content'));
  for (const part of listOf(at(item, 'parts'))) if (at(part, 'type') === undefined) addFields(signs, 'part', part);
  for (const call of listOf(at(item, 'tool_calls'))) {
    addFields(signs, 'call', call);
    addFields(signs, 'function', at(call, 'function'));
  }
}

function addBlocks(signs: Set<string>, content: unknown): void {
  for (const block of listOf(content)) addFields(signs, at(block, 'type') === undefined ? 'union' : 'block', block);
}

function addFields(signs: Set<string>, level: string, value: unknown): void {
  if (!isRecord(value)) return;
  for (const [key, field] of Object.entries(value)) {
    signs.add(`${level}.${key}`);
    signs.add(`${level}.${key}:${Array.isArray(field) ? 'list' : typeof field}`);
    if (WORDS.has(key) && typeof field === 'string') signs.add(`${level}.${key}=${field}`);
  }
}

const WORDS: ReadonlySet<string> = new Set(['type', 'role', 'object']);

function at(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
