/**
 * Whether Ollama's server, and the templates of its models, would take a list of messages. Written from the API's
 * description alone, apart from the format.
 */
type Fields = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'images'],
  user: ['role', 'content', 'images'],
  assistant: ['role', 'content', 'images', 'thinking', 'tool_calls'],
  tool: ['role', 'content', 'images', 'tool_name', 'tool_call_id'],
};
/** Keys that some library's records have and no message of this wire. */
const FOREIGN = new Set([
  'id',
  'createdAt',
  'parentId',
  'name',
  'metadata',
  '_metadata',
  '_origin',
  'tool_result',
  'incomplete',
]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const KNOWN = new Set(Object.values(KEYS).flat());

/** The rules that a payload breaks, each with its place; nothing where it would be accepted. */
export function checkOllama(payload: unknown): string[] {
  const { messages } = payload as { messages: unknown };
  if (!Array.isArray(messages)) return ['messages: no list'];
  const text = JSON.stringify(payload);
  return [
    ...messages.flatMap((message, at) => messageRules(message, `messages[${at}]`)),
    ...linkRules(messages as Fields[]),
    // JSON.stringify writes half of a character as an escape.
    ...(/\\ud[89a-f]/i.test(text.replaceAll('\\\\', '')) ? ['half of a character'] : []),
  ];
}

function messageRules(message: unknown, at: string): string[] {
  if (!isObject(message)) return [`${at}: no object`];
  const { role, content, images, thinking, tool_calls: calls } = message;
  const known = KEYS[String(role)];
  if (known === undefined) return [`${at}: unknown role`];
  const broken: string[] = [];
  const demand = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(`${at}: ${rule}`);
  };
  demand(typeof content === 'string', 'content is one text');
  for (const key of Object.keys(message)) {
    demand(!FOREIGN.has(key), `no ${key}`);
    demand(!KNOWN.has(key) || known.includes(key), `no ${key} on ${String(role)}`);
  }
  for (const key of ['thinking', 'tool_name', 'tool_call_id'])
    demand(!(key in message) || typeof message[key] === 'string', `${key} is text`);
  demand(images === undefined || (Array.isArray(images) && images.every(isBareBase64)), 'images are bare base64');
  demand(thinking === undefined || role === 'assistant', 'only the model thinks');
  demand(calls === undefined || (Array.isArray(calls) && calls.every(isCall)), 'calls are functions with an object');
  return broken;
}

function isBareBase64(image: unknown): boolean {
  return typeof image === 'string' && image !== '' && image.length % 4 === 0 && BASE64.test(image);
}

function isCall(call: unknown): boolean {
  if (!isObject(call) || !isObject(call['function'])) return false;
  const { name, arguments: args, index } = call['function'];
  const isNumbered = index === undefined || typeof index === 'number';
  return typeof name === 'string' && name !== '' && isObject(args) && isNumbered && isTextOrNone(call['id']);
}

/** Each call has its answer, in the order of the calls, of the name of the call, and of its id where both tell one. */
function linkRules(messages: readonly Fields[]): string[] {
  const broken: string[] = [];
  let open: Fields[] = [];
  messages.forEach((message, at) => {
    if (message['role'] !== 'tool') {
      if (open.length > 0) broken.push(`messages[${at}]: ${open.length} calls before it have no answer`);
      open = [...((message['tool_calls'] as Fields[] | undefined) ?? [])];
      return;
    }
    const call = open.shift();
    if (call === undefined) {
      broken.push(`messages[${at}]: answers no call`);
      return;
    }
    const { name } = call['function'] as Fields;
    const { tool_name: toolName = name, tool_call_id: id = call['id'] } = message;
    if (toolName !== name) broken.push(`messages[${at}]: has the name of another tool`);
    if (call['id'] !== undefined && id !== call['id']) broken.push(`messages[${at}]: has the id of another call`);
  });
  return open.length > 0 ? [...broken, `${open.length} calls at the end have no answer`] : broken;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
