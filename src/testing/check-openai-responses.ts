/**
 * Whether the provider would take a request: its rules, one by one, written without a look at the encoder.
 */
type Fields = Record<string, unknown>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rules that a payload breaks, each with its place; none for a good one. */
export function checkOpenAIResponses(payload: unknown): string[] {
  const checker = new Checker();
  checker.request(payload);
  return checker.broken;
}

class Checker {
  readonly broken: string[] = [];
  readonly #itemIds = new Set<string>();
  readonly #callIds = new Set<string>();
  /** The calls that wait for their outputs, with the kind of those. */
  readonly #open = new Map<string, string>();

  #fail(path: string, rule: string): void {
    this.broken.push(`${path}: ${rule}`);
  }

  #onlyKeys(value: Fields, known: readonly string[], path: string): void {
    for (const key of Object.keys(value)) if (!known.includes(key)) this.#fail(path, `unknown key ${key}`);
  }

  request(payload: unknown): void {
    if (!isFields(payload)) return this.#fail('', 'a request is an object');
    const { instructions, input } = payload;
    this.#onlyKeys(payload, ['instructions', 'input'], 'request');
    if (instructions !== undefined && typeof instructions !== 'string') this.#fail('instructions', 'a text');
    if (typeof input !== 'string' && !Array.isArray(input)) return this.#fail('input', 'a text or items');
    if (Array.isArray(input)) {
      input.forEach((item: unknown, at) => this.#item(item, `input[${at}]`));
      this.#thoughts(input);
    }
    this.#closed('input');
    if (/\\ud[89a-f]/i.test(JSON.stringify(payload))) this.#fail('', 'well-formed Unicode');
  }

  /** No tool output found for function call … */
  #closed(path: string): void {
    for (const id of this.#open.keys()) this.#fail(path, `no tool output found for function call ${id}`);
    this.#open.clear();
  }

  /** Item 'rs_…' of type 'reasoning' was provided without its required following item. */
  #thoughts(items: readonly unknown[]): void {
    const typeAt = (at: number): unknown =>
      isFields(items[at]) ? (items[at]['type'] ?? items[at]['role']) : undefined;
    items.forEach((_, at) => {
      if (typeAt(at) !== 'reasoning') return;
      let next = at + 1;
      while (typeAt(next) === 'reasoning') next++;
      const behind = items[next];
      const isModels =
        isFields(behind) &&
        !String(behind['type']).endsWith('_output') &&
        (behind['role'] ?? 'assistant') === 'assistant';
      if (!isModels) this.#fail(`input[${at}]`, 'reasoning without its required following item');
    });
  }

  #item(item: unknown, path: string): void {
    if (!isFields(item)) return this.#fail(path, 'an item is an object');
    const { type = 'message' } = item;
    const isOutput = type === 'function_call_output' || type === 'custom_tool_call_output';
    const isCall = type === 'function_call' || type === 'custom_tool_call';
    if (!isOutput && !isCall && this.#open.size > 0 && item['role'] !== undefined && item['role'] !== 'assistant')
      this.#closed(path);
    this.#id(item, String(type), path);
    if (type === 'message') this.#message(item, path);
    else if (isCall) this.#call(item, type, path);
    else if (isOutput) this.#output(item, type, path);
    else if (type === 'reasoning') this.#reasoning(item, path);
    else if (typeof type !== 'string' || type === '') this.#fail(path, 'the type of an item');
  }

  #id({ id }: Fields, type: string, path: string): void {
    if (id === undefined || id === null || type === 'item_reference') return;
    if (typeof id !== 'string' || id.length > 64) return this.#fail(path, 'an id of at most 64 characters');
    const prefix = PREFIXES[type] ?? '';
    if (!id.startsWith(prefix)) this.#fail(path, `expected an ID that begins with '${prefix}'`);
    if (this.#itemIds.has(id)) this.#fail(path, `duplicate item ${id}`);
    this.#itemIds.add(id);
  }

  #message(item: Fields, path: string): void {
    const { role, content, phase } = item;
    if (!['user', 'assistant', 'system', 'developer'].includes(String(role))) return this.#fail(path, 'a role');
    this.#onlyKeys(item, ['type', 'id', 'role', 'content', 'status', 'phase'], path);
    if (phase !== undefined && phase !== null && !PHASES.has(phase)) this.#fail(path, 'a phase');
    if (typeof content === 'string') return;
    if (!Array.isArray(content) || (content.length === 0 && item['id'] === undefined))
      return this.#fail(path, 'content is a text or parts');
    content.forEach((part: unknown, at) => {
      if (role === 'assistant') this.#outputPart(part, `${path}.content[${at}]`);
      else this.#inputPart(part, `${path}.content[${at}]`, true);
    });
  }

  #call(item: Fields, type: string, path: string): void {
    const { call_id: id, name } = item;
    const text = type === 'function_call' ? 'arguments' : 'input';
    this.#onlyKeys(item, ['type', 'id', 'call_id', 'name', text, 'status', 'namespace', 'async', 'caller'], path);
    if (typeof id !== 'string' || id === '' || id.length > 64) return this.#fail(path, `call_id ${String(id)}`);
    if (this.#callIds.has(id)) this.#fail(path, `duplicate call ${id}`);
    this.#callIds.add(id);
    this.#open.set(id, `${type}_output`);
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) this.#fail(path, `name ${String(name)}`);
    if (typeof item[text] !== 'string') this.#fail(path, `${text} is a text`);
    else if (type === 'function_call' && !isJsonObject(item[text])) this.#fail(path, 'arguments are a JSON object');
  }

  #output(item: Fields, type: string, path: string): void {
    const { call_id: id, output } = item;
    this.#onlyKeys(item, ['type', 'id', 'call_id', 'output', 'status', 'name', 'namespace', 'caller'], path);
    if (this.#open.get(String(id)) !== type)
      this.#fail(path, `no tool call found for output with call_id ${String(id)}`);
    this.#open.delete(String(id));
    if (typeof output === 'string') return;
    if (!Array.isArray(output)) return this.#fail(path, 'output is a text or parts');
    output.forEach((part: unknown, at) => this.#inputPart(part, `${path}.output[${at}]`, false));
  }

  #reasoning(item: Fields, path: string): void {
    this.#onlyKeys(item, ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'], path);
    if (typeof item['id'] !== 'string' || !Array.isArray(item['summary'])) this.#fail(path, 'an id and a summary');
  }

  #outputPart(part: unknown, path: string): void {
    if (!isFields(part)) return this.#fail(path, 'a part is an object');
    if (part['type'] === 'refusal') {
      this.#onlyKeys(part, ['type', 'refusal'], path);
      if (typeof part['refusal'] !== 'string') this.#fail(path, 'a refusal is a text');
    } else if (part['type'] === 'output_text') {
      this.#onlyKeys(part, ['type', 'text', 'annotations', 'logprobs'], path);
      if (typeof part['text'] !== 'string' || !Array.isArray(part['annotations']))
        this.#fail(path, 'a text with annotations');
    } else this.#fail(path, `supported values are output_text and refusal, not ${String(part['type'])}`);
  }

  #inputPart(part: unknown, path: string, isInMessage: boolean): void {
    if (!isFields(part)) return this.#fail(path, 'a part is an object');
    const type = String(part['type']);
    const keys = PART_KEYS[type];
    if (keys === undefined) return this.#fail(path, `unknown part ${type}`);
    this.#onlyKeys(part, ['type', 'prompt_cache_breakpoint', ...keys], path);
    const mark = part['prompt_cache_breakpoint'];
    if (mark !== undefined && !(isFields(mark) && mark['mode'] === 'explicit')) this.#fail(path, 'a cache breakpoint');
    if (type === 'input_text' && typeof part['text'] !== 'string') this.#fail(path, 'a text');
    if (type === 'input_image') this.#image(part, path, isInMessage);
    if (type === 'input_file') this.#file(part, path);
  }

  #image({ detail, image_url: url, file_id: id }: Fields, path: string, isInMessage: boolean): void {
    if (isInMessage || detail !== undefined)
      if (!DETAILS.includes(detail)) this.#fail(path, `detail ${JSON.stringify(detail)}`);
    if (isGiven(url) && !(typeof url === 'string' && /^(https?|data):/i.test(url)))
      this.#fail(path, `image_url ${JSON.stringify(url)}`);
    if (!isGiven(url) && typeof id !== 'string') this.#fail(path, 'an image has a URL or an id');
  }

  #file({ file_data: data, file_url: url, file_id: id, filename, detail }: Fields, path: string): void {
    if ([data, url, id].filter((one) => typeof one === 'string').length !== 1)
      this.#fail(path, 'a file has data, a URL or an id');
    if (isGiven(data) && !(typeof data === 'string' && /^data:/i.test(data) && typeof filename === 'string'))
      this.#fail(path, 'data of a file are a data URI with a name');
    if (isGiven(url) && !(typeof url === 'string' && /^https?:/i.test(url))) this.#fail(path, 'file_url');
    if (detail !== undefined && !DETAILS.slice(0, 3).includes(detail))
      this.#fail(path, `detail ${JSON.stringify(detail)}`);
  }
}

function isJsonObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

const PHASES: ReadonlySet<unknown> = new Set(['commentary', 'final_answer']);
const DETAILS: readonly unknown[] = ['auto', 'low', 'high', 'original'];

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

const PART_KEYS: Readonly<Record<string, readonly string[]>> = {
  input_text: ['text'],
  input_image: ['detail', 'image_url', 'file_id'],
  input_file: ['file_data', 'file_url', 'file_id', 'filename', 'detail'],
};
