/**
 * Whether Mistral's chat completions would take a list of messages. Written from the rules of the API alone, apart from
 * the format.
 */
type Fields = Readonly<Record<string, unknown>>;

/** What each role may stand in front of. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};
const KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
};
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;
const ADDRESS = /^(https?:\/\/|data:)/i;

/** The rules that a payload breaks, each with its place; nothing where it would be accepted. */
export function checkMistral(payload: unknown): string[] {
  const messages = isObject(payload) ? payload['messages'] : undefined;
  if (!Array.isArray(messages) || messages.length === 0) return ['messages: at least one message'];
  const list = messages as readonly unknown[];
  if (!list.every(isObject)) return ['messages: a message is an object'];
  const text = JSON.stringify(payload);
  return [
    ...list.flatMap((message, at) => messageRules(message, `messages[${at}]`, at === list.length - 1)),
    ...orderRules(list),
    ...toolRules(list),
    // JSON.stringify writes half of a character as an escape.
    ...(/\\ud[89a-f]/i.test(text.replaceAll('\\\\', '')) ? ['messages: half of a character'] : []),
  ];
}

function messageRules(message: Fields, at: string, isLast: boolean): string[] {
  const { role, content, tool_calls: calls, prefix, name, tool_call_id: id } = message;
  const keys = KEYS[String(role)];
  if (keys === undefined) return [`${at}: unknown role ${String(role)}`];
  const unknown = Object.keys(message).filter((key) => !keys.includes(key));
  return [
    ...unknown.map((key) => `${at}: unknown key ${key} on ${String(role)}`),
    ...contentRules(content, role === 'system', `${at}.content`),
    ...(calls === undefined || calls === null ? [] : callRules(calls, `${at}.tool_calls`)),
    ...broken(role === 'assistant' && isNothing(content) && isNothing(calls), `${at}: neither content nor calls`),
    ...broken(role !== 'assistant' && content === undefined, `${at}: no content`),
    ...broken(prefix !== undefined && typeof prefix !== 'boolean', `${at}: prefix is true or false`),
    ...broken(prefix === true && !isLast, `${at}: prefix on the last message only`),
    ...broken(role === 'tool' && !isShortId(id), `${at}: an id of nine letters and digits`),
    ...broken(name !== undefined && name !== null && !isName(name), `${at}: a name of at most 64 word characters`),
  ];
}

function contentRules(content: unknown, isSystem: boolean, at: string): string[] {
  if (content === null || content === undefined) return broken(isSystem, `${at}: system needs content`);
  if (typeof content === 'string') return [];
  if (!Array.isArray(content)) return [`${at}: text, a list or null`];
  return (content as readonly unknown[]).flatMap((chunk, place) => chunkRules(chunk, isSystem, `${at}[${place}]`));
}

function chunkRules(chunk: unknown, isSystem: boolean, at: string): string[] {
  if (!isObject(chunk) || typeof chunk['type'] !== 'string') return [`${at}: a chunk has a type`];
  const { type } = chunk;
  if (isSystem && type !== 'text' && type !== 'thinking') return [`${at}: system is text and thinking`];
  const holds: Readonly<Record<string, () => boolean>> = {
    text: () => typeof chunk['text'] === 'string',
    image_url: () => isImage(chunk['image_url']),
    document_url: () => isAddress(chunk['document_url']) && isTextOrNone(chunk['document_name']),
    file: () => isFilled(chunk['file_id']),
    input_audio: () => isFilled(chunk['input_audio']),
    reference: () => Array.isArray(chunk['reference_ids']),
    thinking: () => isThinking(chunk),
  };
  const isHeld = Object.hasOwn(holds, type) ? holds[type] : undefined;
  return broken(isHeld?.() !== true, `${at}: no ${type} chunk of this wire`);
}

function isImage(image: unknown): boolean {
  return isAddress(image) || (isObject(image) && isAddress(image['url']) && isTextOrNone(image['detail']));
}

function isThinking({ thinking, signature, closed }: Fields): boolean {
  const isList = Array.isArray(thinking) && thinking.every((piece) => isObject(piece) && isFilled(piece['type']));
  return isList && isTextOrNone(signature) && (closed === undefined || typeof closed === 'boolean');
}

function callRules(calls: unknown, at: string): string[] {
  if (!Array.isArray(calls)) return [`${at}: a list of calls`];
  return (calls as readonly unknown[]).flatMap((call, place) => {
    const inner = isObject(call) ? call['function'] : undefined;
    if (!isObject(call) || !isObject(inner)) return [`${at}[${place}]: a call has a function`];
    return [
      ...broken(!isShortId(call['id']), `${at}[${place}]: an id of nine letters and digits`),
      ...broken((call['type'] ?? 'function') !== 'function', `${at}[${place}]: only functions are called`),
      ...broken(!isName(inner['name']), `${at}[${place}]: a name of at most 64 word characters`),
      ...broken(!isArguments(inner['arguments']), `${at}[${place}]: arguments are a JSON object`),
    ];
  });
}

/** Who may speak when. */
function orderRules(messages: readonly Fields[]): string[] {
  const roles = messages.map(({ role }) => String(role));
  const first = messages[0] as Fields;
  const last = messages.at(-1) as Fields;
  const isOpen = last['role'] !== 'user' && last['role'] !== 'tool' && last['prefix'] !== true;
  return [
    ...roles.flatMap((role, at) => {
      const before = roles[at - 1];
      const isRefused = before !== undefined && FOLLOWERS[before]?.includes(role) === false;
      return broken(isRefused, `messages[${at}]: ${role} after ${String(before)}`);
    }),
    ...broken(roles.length > 1 && isOpen, 'messages: the last one is a user, a tool, or continued'),
    ...broken(
      roles.length === 1 && !['user', 'system'].includes(String(first['role'])),
      'messages: a start by another',
    ),
    ...broken(!isNothing(first['tool_calls']), 'messages: calls at the very beginning'),
  ];
}

/** Each call has one answer, before the assistant speaks again and at the end. */
function toolRules(messages: readonly Fields[]): string[] {
  const found: string[] = [];
  let open = new Set<unknown>();
  messages.forEach((message, at) => {
    const { role, tool_call_id: id, tool_calls: calls } = message;
    if (role === 'tool' && !open.delete(id)) found.push(`messages[${at}]: answers no call`);
    if (role !== 'assistant') return;
    if (open.size > 0) found.push(`messages[${at}]: calls before it have no answer`);
    const ids = Array.isArray(calls) ? calls.map((call: unknown) => (isObject(call) ? call['id'] : undefined)) : [];
    open = new Set(ids);
    if (open.size < ids.length) found.push(`messages[${at}]: two calls with one id`);
  });
  return [...found, ...broken(open.size > 0, 'messages: calls at the end have no answer')];
}

function broken(isBroken: boolean, rule: string): string[] {
  return isBroken ? [rule] : [];
}

function isShortId(id: unknown): boolean {
  return typeof id === 'string' && SHORT_ID.test(id);
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name);
}

function isArguments(given: unknown): boolean {
  if (typeof given !== 'string') return isObject(given);
  try {
    return isObject(JSON.parse(given));
  } catch {
    return false;
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && ADDRESS.test(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** Whether content or calls are missing or empty. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
