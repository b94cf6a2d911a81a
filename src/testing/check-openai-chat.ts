/**
 * Whether Chat Completions would take a list of messages. Written from the API's description alone, apart from the
 * format.
 */
type Fields = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'refusal', 'audio', 'tool_calls', 'function_call'],
  tool: ['role', 'content', 'tool_call_id'],
  function: ['role', 'content', 'name'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
};
const NAME = /^[^\s<|\\/>]{1,64}$/;
const TOOL = /^[a-zA-Z0-9_-]{1,64}$/;

/** The rules that a payload breaks, each with its place; nothing where it would be accepted. */
export function checkOpenAIChat(payload: unknown, { unknownKeys = 'taken' }: OpenAIChatRules = {}): string[] {
  const messages = isObject(payload) ? payload['messages'] : undefined;
  if (!Array.isArray(messages)) return ['messages: no list'];
  const list = messages as readonly unknown[];
  return [
    ...list.flatMap((message, at) => messageRules(message, `messages[${at}]`, unknownKeys === 'refused')),
    ...pairRules(list.filter(isObject)),
    ...(isWellFormed(payload) ? [] : ['half of a character']),
  ];
}

/** What differs from server to server. */
export interface OpenAIChatRules {
  /** OpenAI refuses keys that it does not know; other servers have their own. */
  readonly unknownKeys?: 'taken' | 'refused';
}

function messageRules(message: unknown, at: string, isStrict: boolean): string[] {
  if (!isObject(message)) return [`${at}: no object`];
  const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
  const known = KEYS[String(role)];
  if (known === undefined) return [`${at}: unknown role`];
  const strange = isStrict ? Object.keys(message).filter((key) => !known.includes(key)) : [];
  return [
    ...strange.map((key) => `${at}: no key ${key}`),
    ...contentRules(message, at),
    ...(Array.isArray(content)
      ? content.flatMap((part, place) => partRules(part, String(role), `${at}.content[${place}]`))
      : []),
    ...(name === undefined || (typeof name === 'string' && NAME.test(name))
      ? []
      : [`${at}: a name of 1 to 64 characters`]),
    ...(calls === undefined ? [] : callsRules(calls, role, `${at}.tool_calls`)),
    ...(role !== 'tool' || isId(answered) ? [] : [`${at}: the id of a call, of at most 64 characters`]),
  ];
}

/** Content may be missing only where an assistant says something else. */
function contentRules({ role, content, tool_calls, function_call, audio, refusal }: Fields, at: string): string[] {
  if (typeof content === 'string' || (Array.isArray(content) && content.length > 0)) return [];
  const isMissing = content === undefined || content === null;
  const saysOther = [tool_calls, function_call, audio, refusal].some((value) => value !== undefined && value !== null);
  return role === 'assistant' && isMissing && saysOther ? [] : [`${at}: content is text or parts`];
}

function partRules(part: unknown, role: string, at: string): string[] {
  if (!isObject(part)) return [`${at}: no object`];
  const type = String(part['type']);
  if (PARTS[role]?.includes(type) !== true) return [`${at}: no ${type} in ${role} messages`];
  return isGoodPart(type, part) ? [] : [`${at}: not what a ${type} part is`];
}

function isGoodPart(type: string, part: Fields): boolean {
  const { text, refusal, image_url: image, input_audio: audio, file } = part;
  if (type === 'text') return typeof text === 'string';
  if (type === 'refusal') return typeof refusal === 'string';
  if (type === 'image_url') return isObject(image) && typeof image['url'] === 'string';
  if (type === 'input_audio')
    return isObject(audio) && typeof audio['data'] === 'string' && ['wav', 'mp3'].includes(String(audio['format']));
  if (!isObject(file)) return false;
  return (
    typeof file['file_id'] === 'string' || [file['file_data'], file['filename']].every((one) => typeof one === 'string')
  );
}

function callsRules(calls: unknown, role: unknown, at: string): string[] {
  if (role !== 'assistant') return [`${at}: only the assistant calls tools`];
  if (!Array.isArray(calls) || calls.length === 0 || calls.length > 128) return [`${at}: 1 to 128 calls`];
  const ids = calls.map((call) => (isObject(call) ? call['id'] : undefined));
  return [
    ...calls.flatMap((call: unknown, place) => (isGoodCall(call) ? [] : [`${at}[${place}]: not what a call is`])),
    ...(new Set(ids).size === ids.length ? [] : [`${at}: an id twice`]),
  ];
}

function isGoodCall(call: unknown): boolean {
  if (!isObject(call) || !isId(call['id'])) return false;
  const { type, function: called, custom } = call;
  if (type === 'custom') return isObject(custom) && isTool(custom['name']) && typeof custom['input'] === 'string';
  return type === 'function' && isObject(called) && isTool(called['name']) && isJsonObject(called['arguments']);
}

function isId(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= 64;
}

function isTool(name: unknown): boolean {
  return typeof name === 'string' && TOOL.test(name);
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Each call is answered once, right behind its message, and nothing else is answered. */
function pairRules(messages: readonly Fields[]): string[] {
  const broken: string[] = [];
  let open = new Set<unknown>();
  messages.forEach(({ role, tool_calls: calls, tool_call_id: answered }, at) => {
    if (role === 'tool') {
      if (!open.delete(answered)) broken.push(`messages[${at}]: answers no call before it`);
      return;
    }
    if (open.size > 0) broken.push(`messages[${at}]: ${open.size} calls before it have no answer`);
    open = new Set(Array.isArray(calls) ? calls.map((call: unknown) => isObject(call) && call['id']) : []);
  });
  return open.size > 0 ? [...broken, `${open.size} calls at the end have no answer`] : broken;
}

/** JSON.stringify writes half of a character as an escape. */
function isWellFormed(payload: unknown): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(payload).replaceAll('\\\\', ''));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
