import { Content } from '../../model/content.ts';
import { ContentPart } from '../../model/content-part.ts';
import { ToolCalls } from '../../model/tool-calls.ts';
import { isRecord } from '../../schema/json.ts';
import type { Said } from '../accumulator.ts';
import { partialCall } from '../partial-call.ts';
import { decodeOutput } from './decode-part.ts';
import { originOf } from './origin.ts';
import { PartialFields } from './partial-fields.ts';

type Fields = Readonly<Record<string, unknown>>;
type Parts = Map<unknown, PartialFields>;

/** The items, by the subjects of events that tell of their texts. */
const TYPES: Readonly<Record<string, string>> = {
  output_text: 'message',
  content_part: 'message',
  refusal: 'message',
  reasoning_text: 'reasoning',
  reasoning_summary_part: 'reasoning',
  reasoning_summary_text: 'reasoning',
  function_call_arguments: 'function_call',
  custom_tool_call_input: 'custom_tool_call',
};

/** An item of a response while its events arrive. */
export class PartialItem {
  /** The item, of which the arguments of a call come in pieces. */
  readonly #item: PartialFields;
  readonly #summary: Parts;
  readonly #content: Parts;
  #isStarted = true;
  /** All of it, once that came. */
  #done: Fields | undefined;

  constructor({ summary, content, ...item }: Fields) {
    this.#item = new PartialFields(item['type'] === 'custom_tool_call' ? 'input' : 'arguments', item);
    this.#summary = partsOf(summary);
    this.#content = partsOf(content);
  }

  /** An item whose first event came before its start; undefined for one of which nothing is told in pieces. */
  static begunBy(subject: string): PartialItem | undefined {
    const type = TYPES[subject];
    if (type === undefined) return undefined;
    const item = new PartialItem({ type, ...(type === 'message' && { role: 'assistant' }) });
    item.#isStarted = false;
    return item;
  }

  /** Takes the start of an item that another event began; false where one came before. */
  start({ summary: _summary, content: _content, arguments: _args, input: _input, ...item }: Fields): boolean {
    if (this.#isStarted) return false;
    this.#item.set(item);
    return (this.#isStarted = true);
  }

  get isClosed(): boolean {
    return this.#done !== undefined;
  }

  /** Takes what an event tells of it, by the words of the type of the event: `response.output_text.delta`. */
  add(subject: string, step: string, event: Fields): void {
    const { item, delta, content_index: at } = event;
    switch (subject) {
      case 'output_item':
        if (step === 'done') this.#done = isRecord(item) ? item : this.whole();
        return;
      case 'content_part':
        return setPart(this.#content, at, event['part']);
      case 'reasoning_summary_part':
        return setPart(this.#summary, event['summary_index'], event['part']);
      case 'function_call_arguments':
      case 'custom_tool_call_input':
        return addText(this.#item, delta, event['arguments'] ?? event['input']);
      case 'reasoning_summary_text':
        return addText(partAt(this.#summary, event['summary_index'], 'summary_text'), delta, event['text']);
      case 'output_text':
      case 'reasoning_text':
      case 'refusal': {
        const part = partAt(this.#content, at, subject);
        return step === 'annotation' ? part.annotate(event['annotation']) : addText(part, delta, event[keyOf(subject)]);
      }
    }
  }

  /** The item as the wire has it without a stream. */
  whole(): Fields {
    if (this.#done !== undefined) return this.#done;
    const { fields } = this.#item;
    const [summary, content] = [this.#summary, this.#content].map((parts) =>
      Array.from(parts.values(), (part) => part.whole()),
    );
    switch (fields['type']) {
      case 'function_call':
      case 'custom_tool_call':
        return this.#item.whole();
      case 'reasoning':
        return { ...fields, summary, ...(this.#content.size > 0 && { content }) };
      default:
        return fields['type'] === 'message' ? { ...fields, content } : fields;
    }
  }

  /** What it says before its end: text, reasoning without its proof, or a call; nothing of others. */
  soFar(model: string | undefined): Said | undefined {
    const { type, name, call_id: id } = this.#item.fields;
    if (type === 'function_call' || type === 'custom_tool_call') {
      const kind = type === 'function_call' ? 'function' : 'custom';
      const call = partialCall(id, name, this.#item.soFar(), kind);
      return call && { content: Content.empty(), toolCalls: ToolCalls.owning([call]) };
    }
    const parts = type === 'reasoning' ? this.#thought(model) : this.#words();
    return parts.length === 0 ? undefined : { content: Content.owningParts(parts), toolCalls: ToolCalls.empty() };
  }

  #words(): ContentPart[] {
    const parts: ContentPart[] = [];
    for (const part of this.#content.values()) {
      const read = part.soFar() === '' ? undefined : decodeOutput(part.shown(), parts.length > 0);
      if (read !== undefined) parts.push(read);
    }
    return parts;
  }

  #thought(model: string | undefined): ContentPart[] {
    const texts = [...this.#summary.values(), ...this.#content.values()].map((part) => part.soFar());
    // Put together without a look at the texts, which may be long.
    const text = texts.filter((one) => one !== '').reduce((all, one) => (all === '' ? one : `${all}\n${one}`), '');
    return text === '' ? [] : [ContentPart.owning({ type: 'reasoning', text, _origin: originOf(undefined, model) })];
  }
}

function partsOf(list: unknown): Parts {
  const parts: Parts = new Map();
  if (Array.isArray(list)) list.forEach((part, at) => setPart(parts, at, part));
  return parts;
}

function setPart(parts: Parts, at: unknown, part: unknown): void {
  if (!isRecord(part)) return;
  const known = parts.get(at);
  if (known === undefined) parts.set(at, new PartialFields(keyOf(part['type']), part));
  else known.set(part);
}

/** The part at an index, begun where its beginning was not told. */
function partAt(parts: Parts, at: unknown, type: string): PartialFields {
  const known = parts.get(at);
  if (known !== undefined) return known;
  const part = new PartialFields(keyOf(type), { type, ...(type === 'output_text' && { annotations: [] }) });
  parts.set(at, part);
  return part;
}

function addText(fields: PartialFields, piece: unknown, whole: unknown): void {
  if (typeof whole === 'string') fields.replace(whole);
  else fields.add(piece);
}

function keyOf(type: unknown): 'text' | 'refusal' {
  return type === 'refusal' ? 'refusal' : 'text';
}
