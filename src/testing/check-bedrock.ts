/**
 * Whether Bedrock's Converse would take the conversation part of a request: its rules, one by one, written without a
 * look at the encoder.
 */
type Fields = Record<string, unknown>;

/** What differs between models. */
export interface BedrockModelRules {
  /** Whether words may stand in one message with calls or answers. Default: yes. */
  readonly mixedTurns?: boolean;
  /** Whether the history may end with the assistant. Default: yes. */
  readonly prefill?: boolean;
  /** What an id of a call looks like. Default: 1 to 64 letters, digits and `_.:-`. */
  readonly callId?: RegExp;
  /** Whether answers may have a status. Default: yes. */
  readonly status?: boolean;
  /** How many cache points a request may have. Default: 4. */
  readonly cachePoints?: number;
  /** How many documents a message may have. Default: 5. */
  readonly documents?: number;
  /** How many images a message may have. Default: 20. */
  readonly images?: number;
  /** Whether calls need definitions of tools. Default: yes. */
  readonly toolConfig?: boolean;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isBlank = (value: unknown): boolean => !isText(value) || value.trim() === '';
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The rules that a payload breaks, each with its place; none for a good one. Keys in `replayed` may stand in any block. */
export function checkBedrock(
  payload: unknown,
  rules: BedrockModelRules = {},
  replayed: readonly string[] = [],
): string[] {
  const checker = new Checker(rules, replayed);
  checker.request(payload);
  return checker.broken;
}

class Checker {
  readonly broken: string[] = [];
  readonly #rules: BedrockModelRules;
  readonly #replayed: readonly string[];
  readonly #ids = new Set<string>();
  readonly #documents = new Set<string>();
  /** Whether a tool was called that the caller runs. */
  #hasCalls = false;
  #cachePoints = 0;
  /** The calls of the message before, which the next one has to answer. */
  #open: string[] = [];

  constructor(rules: BedrockModelRules, replayed: readonly string[]) {
    this.#rules = rules;
    this.#replayed = replayed;
  }

  #fail(path: string, rule: string): void {
    this.broken.push(`${path}: ${rule}`);
  }

  #keys(value: Fields, path: string, known: readonly string[]): void {
    for (const key of Object.keys(value))
      if (!known.includes(key) && !this.#replayed.includes(key)) this.#fail(path, `unknown key ${key}`);
  }

  request(payload: unknown): void {
    if (!isFields(payload)) return this.#fail('', 'a request is an object');
    this.#keys(payload, '', ['system', 'messages', 'toolConfig']);
    const { system, messages, toolConfig } = payload;
    if (system !== undefined) this.#blocks(system, 'system', 'instructions');
    if (!Array.isArray(messages) || messages.length === 0) return this.#fail('messages', 'at least one message');
    messages.forEach((message: unknown, at) => this.#message(message, messages as unknown[], at));
    if (this.#open.length > 0) this.#fail('messages', `calls without answers: ${this.#open.join()}`);
    this.#tools(toolConfig);
    const most = this.#rules.cachePoints ?? 4;
    if (this.#cachePoints > most) this.#fail('', `at most ${most} cache points, found ${this.#cachePoints}`);
    if (/\\ud[89a-f]/i.test(JSON.stringify(payload))) this.#fail('', 'halves of characters');
  }

  /** At least one, with a name and a schema of an object, and some where calls stand. */
  #tools(config: unknown): void {
    if (config === undefined) {
      if (this.#hasCalls && this.#rules.toolConfig !== false)
        this.#fail('', 'the toolConfig field must be defined when using toolUse and toolResult');
      return;
    }
    const tools = isFields(config) ? config['tools'] : undefined;
    if (!Array.isArray(tools) || tools.length === 0) return this.#fail('toolConfig', 'at least one tool');
    tools.forEach((tool: unknown, at) => {
      const path = `toolConfig.tools[${at}]`;
      const spec = isFields(tool) ? tool['toolSpec'] : undefined;
      if (!isFields(spec)) return this.#fail(path, 'a tool has a specification');
      const { name, description, inputSchema } = spec;
      if (!isText(name) || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) this.#fail(path, `name ${String(name)}`);
      if (description !== undefined && !(isText(description) && description.length > 0))
        this.#fail(path, 'description');
      const schema = isFields(inputSchema) ? inputSchema['json'] : undefined;
      if (!isFields(schema) || schema['type'] !== 'object') this.#fail(path, 'the schema of an object');
    });
  }

  #message(message: unknown, all: readonly unknown[], at: number): void {
    const path = `messages[${at}]`;
    if (!isFields(message)) return this.#fail(path, 'a message is an object');
    this.#keys(message, path, ['role', 'content']);
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant' && role !== 'system')
      return this.#fail(path, 'user, assistant or system');
    if (at === 0 && role !== 'user') this.#fail(path, 'a conversation must start with a user message');
    const roleAt = (index: number): unknown => (isFields(all[index]) ? all[index]['role'] : undefined);
    const before = role === 'system' ? undefined : lastSaid(all.slice(0, at));
    if (before === role) this.#fail(path, 'roles must alternate');
    if (role === 'system' && (lastSaid(all.slice(0, at)) !== 'user' || roleAt(at + 1) === 'user'))
      this.#fail(path, 'system stands between user and assistant, or at the end');
    if (role === 'user') this.#answers(listOf(content), path);
    this.#blocks(content, `${path}.content`, role);
    this.#turn(listOf(content), role, path);
    if (at === all.length - 1 && role === 'assistant') this.#end(listOf(content), path);
    if (role === 'assistant' && roleAt(at + 1) === 'user' && kindOf(listOf(content).at(-1)) === 'reasoningContent')
      this.#fail(path, 'the final block in an assistant message cannot be thinking');
  }

  /** Answers: one to each call of the message before, and no others. */
  #answers(blocks: readonly unknown[], path: string): void {
    const given = blocks.flatMap((block) => {
      const answer = isFields(block) ? block['toolResult'] : undefined;
      return isFields(answer) ? [String(answer['toolUseId'])] : [];
    });
    if (given.toSorted().join('\n') !== this.#open.toSorted().join('\n'))
      this.#fail(path, `answers ${JSON.stringify(given)} to the calls ${JSON.stringify(this.#open)}`);
    const kinds = blocks.map((block) => kindOf(block)).filter((kind) => kind !== 'cachePoint');
    if (kinds.lastIndexOf('toolResult') >= given.length) this.#fail(path, 'answers come first');
    this.#open = [];
  }

  #turn(blocks: readonly unknown[], role: string, path: string): void {
    const kinds = blocks.map((block) => kindOf(block)).filter((kind) => kind !== 'cachePoint');
    if (role === 'user' && kinds.includes('document') && !kinds.includes('text'))
      this.#fail(path, 'a text stands with a document');
    const ofTools = kinds.filter((kind) => kind === 'toolUse' || kind === 'toolResult').length;
    if (this.#rules.mixedTurns === false && ofTools > 0 && ofTools < kinds.length)
      this.#fail(path, 'conversation blocks and tool blocks cannot be provided in the same turn');
    const { images = 20, documents = 5 } = this.#rules;
    for (const [kind, most] of [
      ['image', images],
      ['document', documents],
    ] as const)
      if (countOf(blocks, kind) > most) this.#fail(path, `at most ${most} ${kind}s`);
  }

  #end(blocks: readonly unknown[], path: string): void {
    if (this.#rules.prefill === false) this.#fail(path, 'the conversation must end with a user message');
    const last = blocks.findLast((block) => kindOf(block) !== 'cachePoint');
    if (isFields(last) && isText(last['text']) && /\s$/.test(last['text']))
      this.#fail(path, 'final assistant content cannot end with trailing whitespace');
  }

  #blocks(list: unknown, path: string, where: string): void {
    if (!Array.isArray(list) || list.length === 0) return this.#fail(path, 'at least one block');
    list.forEach((block: unknown, at) => this.#block(block, `${path}[${at}]`, where));
  }

  #block(block: unknown, path: string, where: string): void {
    const kind = kindOf(block);
    if (!isFields(block) || kind === undefined || Object.keys(block).length !== 1)
      return this.#fail(path, 'a block has one key');
    if (!ALLOWED[where]?.includes(kind)) this.#fail(path, `no ${kind} in ${where}`);
    const value = block[kind];
    if (kind === 'text') return void (isBlank(value) && this.#fail(path, 'the text field is blank'));
    if (!isFields(value)) return this.#fail(path, `${kind} is an object`);
    if (kind === 'toolUse') this.#call(value, path);
    else if (kind === 'toolResult') this.#answer(value, path);
    else if (kind === 'reasoningContent') this.#reasoning(value, path);
    else if (kind === 'cachePoint') this.#cachePoint(value, path);
    else if (FORMATS[kind] !== undefined) this.#media(kind, value, path);
  }

  #call({ toolUseId: id, name, input, type, ...others }: Fields, path: string): void {
    this.#keys(others, path, []);
    const grammar = this.#rules.callId ?? /^[a-zA-Z0-9_.:-]{1,64}$/;
    if (!isText(id) || !grammar.test(id)) return this.#fail(path, `toolUseId ${String(id)}`);
    if (this.#ids.has(id)) this.#fail(path, 'an id stands for one call');
    if (type === undefined) {
      this.#open.push(id);
      this.#hasCalls = true;
    }
    this.#ids.add(id);
    if (!isText(name) || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) this.#fail(path, `name ${String(name)}`);
    if (!isFields(input)) this.#fail(path, 'input is an object');
  }

  #answer({ toolUseId: _id, content, status, type: _type, ...others }: Fields, path: string): void {
    this.#keys(others, path, []);
    if (status !== undefined && status !== 'success' && status !== 'error') this.#fail(path, 'status');
    if (status !== undefined && this.#rules.status === false) this.#fail(path, 'the model takes no status');
    if (!Array.isArray(content)) return this.#fail(path, 'content is a list of blocks');
    if (content.length === 0 && status === 'error') this.#fail(path, 'content cannot be empty when status is error');
    content.forEach((block: unknown, at) => this.#block(block, `${path}.content[${at}]`, 'answer'));
  }

  #reasoning({ reasoningText, redactedContent, ...others }: Fields, path: string): void {
    this.#keys(others, path, []);
    if (redactedContent !== undefined) return void (isBase64(redactedContent) || this.#fail(path, 'redactedContent'));
    if (!isFields(reasoningText) || !isText(reasoningText['text']) || !isText(reasoningText['signature']))
      this.#fail(path, 'reasoning is signed');
  }

  #cachePoint({ type, ttl, ...others }: Fields, path: string): void {
    this.#cachePoints++;
    this.#keys(others, path, []);
    if (type !== 'default' || ![undefined, '5m', '1h'].includes(ttl as string)) this.#fail(path, 'a cache point');
  }

  #media(kind: string, { format, source, name, ...others }: Fields, path: string): void {
    this.#keys(others, path, kind === 'document' ? ['context', 'citations'] : []);
    if (!(kind === 'document' && format === undefined) && !FORMATS[kind]?.split(' ').includes(String(format)))
      this.#fail(path, `format ${String(format)}`);
    this.#source(source, kind, path);
    if (kind !== 'document') return void (name !== undefined && this.#fail(path, 'a name'));
    if (!isText(name) || !/^[a-zA-Z0-9\s()[\]-]{1,200}$/.test(name) || /\s\s/.test(name))
      return this.#fail(path, `document name ${String(name)}`);
    if (this.#documents.has(name.toLowerCase())) this.#fail(path, `duplicate document name ${name}`);
    this.#documents.add(name.toLowerCase());
  }

  #source(source: unknown, kind: string, path: string): void {
    if (!isFields(source) || Object.keys(source).length !== 1) return this.#fail(path, 'a source has one key');
    const { bytes, s3Location, text, content } = source;
    const isGood =
      bytes !== undefined
        ? isBase64(bytes)
        : s3Location !== undefined
          ? isFields(s3Location) && /^s3:\/\/./.test(String(s3Location['uri']))
          : kind === 'document' && (isText(text) || Array.isArray(content));
    if (!isGood) this.#fail(path, `${kind} source`);
  }
}

function kindOf(block: unknown): string | undefined {
  return isFields(block) ? Object.keys(block)[0] : undefined;
}

/** Who spoke last, instructions aside. */
function lastSaid(messages: readonly unknown[]): unknown {
  return messages
    .filter(isFields)
    .map(({ role }) => role)
    .findLast((role) => role !== 'system');
}

function countOf(blocks: readonly unknown[], kind: string): number {
  return blocks.filter(isFields).reduce((count, block) => {
    const { toolResult } = block;
    return (
      count + (kindOf(block) === kind ? 1 : isFields(toolResult) ? countOf(listOf(toolResult['content']), kind) : 0)
    );
  }, 0);
}

function isBase64(value: unknown): boolean {
  return isText(value) && value !== '' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

const FORMATS: Readonly<Record<string, string>> = {
  image: 'png jpeg gif webp',
  document: 'pdf csv doc docx xls xlsx html txt md',
  video: 'mkv mov mp4 webm flv mpeg mpg wmv three_gp',
  audio: 'mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm',
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  instructions: ['text', 'cachePoint', 'guardContent'],
  system: ['text', 'cachePoint', 'guardContent', 'toolAddition', 'toolRemoval'],
  user: ['text', 'image', 'document', 'video', 'audio', 'toolResult', 'guardContent', 'cachePoint', 'searchResult'],
  assistant: ['text', 'toolUse', 'toolResult', 'reasoningContent', 'citationsContent', 'guardContent', 'cachePoint'],
  answer: ['text', 'json', 'image', 'document', 'video', 'searchResult'],
};
