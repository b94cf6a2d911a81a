/**
 * Whether Gemini's generateContent would take the conversation part of a request. Written from the rules of the API
 * alone, apart from the format.
 */
type Fields = Readonly<Record<string, unknown>>;

const KINDS = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The rules that a payload for Gemini breaks, each with its place; nothing where it would be accepted. */
export function checkGemini(payload: unknown): string[] {
  const found: string[] = [];
  const { systemInstruction, contents } = payload as Fields;
  if (systemInstruction !== undefined) checkInstruction(systemInstruction, found);
  if (!Array.isArray(contents) || contents.length === 0) return [...found, 'contents: is not specified'];
  contents.forEach((content: unknown, at) => checkContent(content, `contents[${at}]`, found));
  checkTurns(contents, found);
  if (!JSON.stringify(payload).isWellFormed() || /\\ud[89a-f]/.test(JSON.stringify(payload)))
    found.push('payload: holds half of a character');
  return found;
}

function checkInstruction(instruction: unknown, found: string[]): void {
  const parts = isObject(instruction) ? instruction['parts'] : undefined;
  const isText =
    Array.isArray(parts) && parts.length > 0 && parts.every((part) => isObject(part) && isFilled(part['text']));
  if (!isText) found.push('systemInstruction: takes text only');
}

function checkContent(content: unknown, path: string, found: string[]): void {
  if (!isObject(content)) return void found.push(`${path}: no content`);
  const { role, parts } = content;
  if (role !== undefined && role !== 'user' && role !== 'model') found.push(`${path}.role: user or model`);
  if (!Array.isArray(parts) || parts.length === 0) return void found.push(`${path}.parts: must not be empty`);
  parts.forEach((part: unknown, at) => checkPart(part, role === 'model', `${path}.parts[${at}]`, found));
}

function checkPart(part: unknown, isModel: boolean, path: string, found: string[]): void {
  if (!isObject(part)) return void found.push(`${path}: no part`);
  const kinds = KINDS.filter((kind) => part[kind] !== undefined);
  if (kinds.length !== 1) found.push(`${path}: must be of exactly one kind`);
  const { text, inlineData, fileData, functionCall, functionResponse, thought, thoughtSignature } = part;
  if ('text' in part && typeof text !== 'string') found.push(`${path}.text: text`);
  if (text === '' && thoughtSignature === undefined) found.push(`${path}.text: required oneof field 'data'`);
  if (thought !== undefined && typeof thought !== 'boolean') found.push(`${path}.thought: boolean`);
  if (thoughtSignature !== undefined && !isFilled(thoughtSignature)) found.push(`${path}.thoughtSignature: base64`);
  checkMedia(inlineData, fileData, path, found);
  if (functionCall !== undefined) {
    checkNamed(functionCall, path, found);
    if (!isModel) found.push(`${path}: only the model calls`);
    if (isObject(functionCall) && functionCall['args'] !== undefined && !isObject(functionCall['args']))
      found.push(`${path}.functionCall.args: must be an object`);
  }
  if (functionResponse === undefined) return;
  checkNamed(functionResponse, path, found);
  if (isModel) found.push(`${path}: only the user answers`);
  const { response, parts = [] } = functionResponse as Fields;
  if (!isObject(response)) found.push(`${path}.functionResponse.response: must be an object`);
  else if (JSON.stringify(response).includes('"$ref":')) found.push(`${path}.functionResponse.response: $ref`);
  for (const media of parts as Fields[]) {
    if (media['inlineData'] === undefined && media['fileData'] === undefined) found.push(`${path}: media only`);
    checkMedia(media['inlineData'], media['fileData'], path, found);
  }
}

function checkMedia(inline: unknown, file: unknown, path: string, found: string[]): void {
  for (const media of [inline, file]) {
    if (media === undefined) continue;
    const { mimeType, data, fileUri } = media as Fields;
    if (typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) found.push(`${path}: mimeType`);
    if (media === inline && (typeof data !== 'string' || !/^[\w+/=-]*$/.test(data))) found.push(`${path}: bare base64`);
    if (media === file && !/^(https?|gs):/i.test(fileUri as string)) found.push(`${path}: fileUri`);
  }
}

function checkNamed(record: unknown, path: string, found: string[]): void {
  const { name, id } = isObject(record) ? record : {};
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name)) found.push(`${path}.name: a name`);
  if (id !== undefined && !isFilled(id)) found.push(`${path}.id: an id`);
}

/** Calls stand right behind words of the user or answers; all their answers in the one content behind them. */
function checkTurns(contents: readonly unknown[], found: string[]): void {
  let called: readonly Fields[] = [];
  let before = 'model';
  contents.forEach((content, at) => {
    const { role = 'user', parts } = content as { role?: string; parts: Fields[] };
    const calls = recordsIn(parts, 'functionCall');
    const answers = recordsIn(parts, 'functionResponse');
    if (answers.length !== called.length)
      found.push(`contents[${at}]: the number of function response parts is not that of the function call parts`);
    answers.forEach((answer, place) => {
      const call = called[place];
      if (call !== undefined && (answer['name'] !== call['name'] || answer['id'] !== call['id']))
        found.push(`contents[${at}]: answer ${place} is to another call`);
    });
    if (calls.length > 0 && before === 'model')
      found.push(`contents[${at}]: a function call turn comes after the user`);
    called = calls;
    before = role;
  });
  if (called.length > 0) found.push('contents: a function call turn without its answers');
}

function recordsIn(parts: readonly Fields[], kind: string): Fields[] {
  return parts.flatMap((part) => (isObject(part[kind]) ? [part[kind]] : []));
}
