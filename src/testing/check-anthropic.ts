/**
 * Whether the provider would take a request: its rules, one by one, written without a look at the encoder.
 */
type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** The rules that a payload breaks, each with its place; none for a good one. Keys in `replayed` may stand anywhere. */
export function checkAnthropic(payload: unknown, replayed: readonly string[] = []): string[] {
  const checker = new Checker(replayed);
  checker.request(payload);
  return checker.broken;
}

class Checker {
  readonly broken: string[] = [];
  readonly #ids = new Set<string>();
  #marks = 0;
  #hasShortMark = false;
  /** The calls of the message before, which the next one has to answer. */
  #open: string[] = [];
  readonly #replayed: readonly string[];

  constructor(replayed: readonly string[]) {
    this.#replayed = replayed;
  }

  #unknownKeys(value: Fields, known: readonly string[]): string[] {
    return Object.keys(value).filter((key) => !known.includes(key) && !this.#replayed.includes(key));
  }

  #fail(path: string, rule: string): void {
    this.broken.push(`${path}: ${rule}`);
  }

  request(payload: unknown): void {
    if (!isFields(payload)) return this.#fail('', 'a request is an object');
    const { system, messages, ...others } = payload;
    if (Object.keys(others).length > 0) this.#fail('', `unknown keys ${Object.keys(others).join()}`);
    if (system !== undefined) this.#instructions(system, 'system');
    if (!Array.isArray(messages) || messages.length === 0) return this.#fail('messages', 'at least one message');
    messages.forEach((message: unknown, at) => this.#message(message, messages as unknown[], at));
    if (this.#open.length > 0) this.#fail('messages', `calls without results: ${this.#open.join()}`);
    if (this.#marks > 4) this.#fail('', `a maximum of 4 blocks with cache_control, found ${this.#marks}`);
    if (!JSON.stringify(payload).isWellFormed() || /\\ud[89a-f]/i.test(JSON.stringify(payload)))
      this.#fail('', 'no low surrogate');
  }

  #instructions(content: unknown, path: string): void {
    if (typeof content === 'string') return void (isBlank(content) && this.#fail(path, 'text that is not empty'));
    if (!Array.isArray(content) || content.length === 0) return this.#fail(path, 'a text or a list of text blocks');
    content.forEach((block: unknown, at) => {
      if (!isFields(block) || block['type'] !== 'text') return this.#fail(`${path}[${at}]`, 'a text block');
      this.#block(block, 'system', `${path}[${at}]`);
    });
  }

  #message(message: unknown, all: readonly unknown[], at: number): void {
    const path = `messages[${at}]`;
    if (!isFields(message)) return this.#fail(path, 'a message is an object');
    const { role, content } = message;
    for (const key of this.#unknownKeys(message, ['role', 'content'])) this.#fail(path, `unknown key ${key}`);
    if (at === 0 && role !== 'user') this.#fail(path, 'the first message is of the user');
    if (role === 'system') {
      this.#place(all, at, path);
      return this.#instructions(content, `${path}.content`);
    }
    if (role !== 'user' && role !== 'assistant') return this.#fail(path, 'role is user, assistant or system');
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (!Array.isArray(blocks) || blocks.length === 0) return this.#fail(path, 'content is not empty');
    this.#results(role === 'user' ? blocks : [], path);
    for (const [index, block] of (blocks as unknown[]).entries()) {
      if (isFields(block)) this.#block(block, role, `${path}.content[${index}]`);
      else this.#fail(`${path}.content[${index}]`, 'a block is an object');
    }
    if (role === 'assistant') this.#end(blocks, all[at + 1], path);
  }

  /** How what the assistant says may end, by what comes next. */
  #end(blocks: readonly unknown[], next: unknown, path: string): void {
    const last = blocks.at(-1);
    if (next === undefined) this.#prefill(last, path);
    if (isFields(next) && next['role'] === 'assistant') return;
    if (isFields(last) && String(last['type']).endsWith('thinking'))
      this.#fail(path, 'the final block in an assistant message cannot be thinking');
  }

  /** Results: all of the message before, once each, first in the message, and no others. */
  #results(blocks: readonly unknown[], path: string): void {
    const types = blocks.map((block) => (isFields(block) ? block['type'] : undefined));
    const count = types.filter((type) => type === 'tool_result').length;
    if (types.slice(0, count).some((type) => type !== 'tool_result')) this.#fail(path, 'results come first');
    const given = blocks
      .filter(isFields)
      .flatMap((block) => (block['type'] === 'tool_result' ? [String(block['tool_use_id'])] : []));
    if (given.toSorted().join('\n') !== this.#open.toSorted().join('\n'))
      this.#fail(path, `results ${JSON.stringify(given)} for the calls ${JSON.stringify(this.#open)}`);
    this.#open = [];
  }

  #place(all: readonly unknown[], at: number, path: string): void {
    const roleAt = (index: number): unknown => (all[index] as Fields | undefined)?.['role'];
    let before = at;
    while (before >= 0 && roleAt(before) === 'system') before--;
    let behind = at;
    while (roleAt(behind) === 'system') behind++;
    const last = ((all[before] as Fields | undefined)?.['content'] as Fields[] | undefined)?.at(-1);
    const isBehindServerTool = typeof last === 'object' && String(last['type']).endsWith('_tool_result');
    if (roleAt(before) !== 'user' && !isBehindServerTool) this.#fail(path, 'system must follow a user message');
    if (![undefined, 'assistant'].includes(roleAt(behind) as undefined))
      this.#fail(path, 'system must precede an assistant message or end the array');
  }

  #prefill(block: unknown, path: string): void {
    if (isFields(block) && block['type'] === 'text' && /\s$/.test(String(block['text'])))
      this.#fail(path, 'final assistant content cannot end with trailing whitespace');
  }

  #block(block: Fields, role: string, path: string): void {
    const mark = block['cache_control'];
    if (mark !== undefined && mark !== null) {
      this.#marks++;
      if (!isFields(mark) || mark['type'] !== 'ephemeral') return this.#fail(path, 'cache_control is ephemeral');
      const isLong = mark['ttl'] === '1h';
      if (isLong && this.#hasShortMark) this.#fail(path, "a ttl='1h' block must not come after a ttl='5m' block");
      this.#hasShortMark ||= !isLong;
    }
    const keys = KEYS[String(block['type'])];
    if (keys === undefined) return this.#fail(path, `unknown block ${String(block['type'])}`);
    for (const key of this.#unknownKeys(block, ['type', ...keys])) this.#fail(path, `unknown key ${key}`);
    if (!ALLOWED[role]?.includes(String(block['type']))) this.#fail(path, `no ${String(block['type'])} in ${role}`);
    this.#kind(block, path);
  }

  #kind(block: Fields, path: string): void {
    switch (block['type']) {
      case 'text':
        if (isBlank(block['text'])) this.#fail(path, 'text content blocks must be non-empty');
        break;
      case 'image':
      case 'document':
        this.#source(block['source'], block['type'], path);
        break;
      case 'thinking':
        if (typeof block['thinking'] !== 'string' || typeof block['signature'] !== 'string')
          this.#fail(path, 'thinking');
        break;
      case 'redacted_thinking':
        if (typeof block['data'] !== 'string') this.#fail(path, 'redacted thinking');
        break;
      case 'tool_use':
        this.#call(block, path);
        break;
      case 'tool_result':
        this.#result(block, path);
        break;
    }
  }

  #call({ id, name, input }: Fields, path: string): void {
    if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id)) return this.#fail(path, `tool_use.id ${String(id)}`);
    if (this.#ids.has(id)) this.#fail(path, 'tool_use ids must be unique');
    this.#ids.add(id);
    this.#open.push(id);
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      this.#fail(path, `tool_use.name ${String(name)}`);
    if (!isFields(input)) this.#fail(path, 'tool_use.input is an object');
  }

  #result({ content, is_error }: Fields, path: string): void {
    if (is_error !== undefined && typeof is_error !== 'boolean') this.#fail(path, 'is_error is a boolean');
    const isEmpty = content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
    if (isEmpty) return void (is_error === true && this.#fail(path, 'content cannot be empty if is_error is true'));
    if (typeof content === 'string') return void (isBlank(content) && this.#fail(path, 'blank content'));
    if (!Array.isArray(content)) return this.#fail(path, 'content is a text or blocks');
    content.forEach((inner: unknown, at) => {
      if (isFields(inner)) this.#block(inner, 'result', `${path}.content[${at}]`);
      else this.#fail(`${path}.content[${at}]`, 'a block is an object');
    });
  }

  #source(source: unknown, kind: string, path: string): void {
    if (!isFields(source)) return this.#fail(path, 'a source');
    const { type, data, media_type, url, file_id } = source;
    const types = kind === 'image' ? ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] : ['application/pdf'];
    const isGood =
      type === 'base64'
        ? typeof data === 'string' && data !== '' && !data.startsWith('data:') && types.includes(String(media_type))
        : type === 'url'
          ? typeof url === 'string' && /^https?:/i.test(url)
          : type === 'file'
            ? typeof file_id === 'string'
            : kind === 'document' && type === 'text' && typeof data === 'string' && media_type === 'text/plain';
    if (!isGood) this.#fail(path, `${kind} source ${JSON.stringify(source)}`);
  }
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations', 'cache_control'],
  image: ['source', 'cache_control', 'transformations'],
  document: ['source', 'title', 'context', 'citations', 'cache_control'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name'],
  search_result: ['source', 'title', 'content', 'citations', 'cache_control'],
  server_tool_use: ['id', 'name', 'input', 'cache_control', 'caller'],
  web_search_tool_result: ['tool_use_id', 'content', 'cache_control', 'caller'],
};

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  user: ['text', 'image', 'document', 'search_result', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'web_search_tool_result'],
  result: ['text', 'image', 'document', 'search_result'],
};
