import {
  Content,
  ContentPart,
  ContentParts,
  Message,
  Messages,
  MessageStore,
  Metadata,
  Section,
  Sections,
  ToolCall,
  ToolCalls,
  ToolResult,
} from 'message-store';

/** One way in for a value of the caller's. */
export interface Door {
  readonly name: string;
  /** Where the value stands, as errors name it. */
  readonly path: string;
  /** What the library makes of the value. */
  readonly enter: (value: unknown) => { toJSON(): unknown };
  /** The value as it stands in the JSON of that. */
  readonly inJSON: readonly (string | number)[];
}

const BASE = { id: 'm1', createdAt: '2026-01-31T12:00:00.000Z', role: 'user', content: 'Hi' } as const;
const STORE = MessageStore.fromMessages(Message.fromJSON(BASE), 'main');

const door = (
  name: string,
  path: string,
  inJSON: readonly (string | number)[],
  enter: (value: never) => { toJSON(): unknown },
): Door => ({ name, path, inJSON, enter: enter as Door['enter'] });

const MESSAGE_IN_STORE = ['sections', 0, 'messages', 0];

/** Every door through which a JSON value of any kind can come. */
export const VALUE_DOORS: readonly Door[] = [
  door('Metadata.of', 'a', ['a'], (a) => Metadata.of({ a })),
  door('Metadata.fromJSON', 'a', ['a'], (a) => Metadata.fromJSON({ a })),
  door('metadata.withKeyValue', 'a', ['a'], (a) => Metadata.empty().withKeyValue('a', a)),
  door('metadata.withMergedData', 'a', ['a'], (a) => Metadata.of({ b: 1 }).withMergedData({ a })),
  door('metadata.update', 'a', ['a'], (a) => Metadata.empty().update((draft) => void (draft['a'] = a))),
  door('ContentPart.of', 'a', ['a'], (a) => ContentPart.of('video', { a })),
  door('ContentPart.from', 'a', ['a'], (a) => ContentPart.from({ type: 'video', a })),
  door('ContentPart.from an image', 'image_url.a', ['image_url', 'a'], (a) =>
    ContentPart.from({ type: 'image_url', image_url: { url: 'https://example.com/', a } }),
  ),
  door('ContentPart.from a file', 'file.a', ['file', 'a'], (a) => ContentPart.from({ type: 'file', file: { a } })),
  door('ContentPart.fromJSON', 'a', ['a'], (a) => ContentPart.fromJSON({ type: 'video', a })),
  door('part.withField', 'a', ['a'], (a) => ContentPart.of('video').withField('a', a)),
  door('ContentParts.from', '[1].a', [1, 'a'], (a) => ContentParts.from(['x', { type: 'video', a }])),
  door('Content.from', '[1].a', [1, 'a'], (a) => Content.from(['x', { type: 'video', a }])),
  door('Content.fromJSON', '[0].a', [0, 'a'], (a) => Content.fromJSON([{ type: 'video', a }])),
  door('ToolCall.of', 'arguments.a', ['arguments', 'a'], (a) => ToolCall.of({ name: 'f', args: { a } })),
  door('ToolCall.from', 'arguments.a', ['arguments', 'a'], (a) => ToolCall.from({ name: 'f', arguments: { a } })),
  door("ToolCall.from OpenAI's form", 'function.arguments.a', ['arguments', 'a'], (a) =>
    ToolCall.from({ function: { name: 'f', arguments: { a } } }),
  ),
  door('an unknown field of a call', 'vendor', ['vendor'], (vendor) => ToolCall.from({ name: 'f', vendor })),
  door('ToolCall.fromJSON', 'arguments.a', ['arguments', 'a'], (a) =>
    ToolCall.fromJSON({ id: null, name: 'f', arguments: { a } }),
  ),
  door('ToolCalls.from a map', 'tool_calls.f.a', [0, 'arguments', 'a'], (a) => ToolCalls.from({ f: { a } })),
  door('an unknown field of a result', 'vendor', ['vendor'], (vendor) => ToolResult.from({ content: '', vendor })),
  door('Message.of, metadata', 'metadata.a', ['_metadata', 'a'], (a) => Message.of({ metadata: { a } })),
  door('Message.of, extra', 'extra.a', ['a'], (a) => Message.of({ extra: { a } })),
  door('Message.of, origin', 'origin.data', ['_origin', 'data'], (data) =>
    Message.of({ origin: { provider: 'x', data } }),
  ),
  door('Message.from, metadata', '_metadata.a', ['_metadata', 'a'], (a) => Message.from({ ...BASE, _metadata: { a } })),
  door('Message.from, legacy metadata', 'metadata.a', ['_metadata', 'a'], (a) =>
    Message.from({ ...BASE, metadata: { a } }),
  ),
  door('Message.from, a part', 'content[0].a', ['content', 0, 'a'], (a) =>
    Message.from({ role: 'user', content: [{ type: 'video', a }] }),
  ),
  door('Message.from, a call', 'tool_calls[0].arguments.a', ['tool_calls', 0, 'arguments', 'a'], (a) =>
    Message.from({ role: 'assistant', tool_calls: [{ name: 'f', arguments: { a } }] }),
  ),
  door('Message.from, an unknown field', 'vendor', ['vendor'], (vendor) => Message.from({ ...BASE, vendor })),
  door('Message.from, the reason of a cut', 'incomplete.a', ['incomplete', 'a'], (a) =>
    Message.from({ ...BASE, incomplete: { reason: 'cut', a } }),
  ),
  door('Message.fromJSON', '_metadata.a', ['_metadata', 'a'], (a) => Message.fromJSON({ ...BASE, _metadata: { a } })),
  door('message.withMetadata', 'a', ['_metadata', 'a'], (a) => Message.from('Hi').withMetadata('a', a)),
  door('message.withContent', 'content[0].a', ['content', 0, 'a'], (a) =>
    Message.from('Hi').withContent([{ type: 'video', a }]),
  ),
  door('message.withToolCalls', 'toolCalls[0].arguments.a', ['tool_calls', 0, 'arguments', 'a'], (a) =>
    Message.from('Hi').withToolCalls([{ name: 'f', arguments: { a } }]),
  ),
  door('Messages.from', '[1].vendor', [1, 'vendor'], (vendor) => Messages.from(['Hi', { ...BASE, vendor }])),
  door('Messages.fromJSON', '[1].vendor', [1, 'vendor'], (vendor) => Messages.fromJSON([BASE, { ...BASE, vendor }])),
  door('Section.from, policy', 'policy.a', ['policy', 'a'], (a) => Section.from({ name: 'main', policy: { a } })),
  door('Section.from, a message', 'messages[0].vendor', ['messages', 0, 'vendor'], (vendor) =>
    Section.from({ name: 'main', messages: [{ ...BASE, vendor }] }),
  ),
  door('Section.fromJSON', 'policy.a', ['policy', 'a'], (a) =>
    Section.fromJSON({ name: 'main', messages: [], policy: { a } }),
  ),
  door('section.withPolicy', 'policy.a', ['policy', 'a'], (a) => Section.empty('main').withPolicy({ a } as never)),
  door('Sections.from', 'sections.main.vendor', [0, 'vendor'], (vendor) => Sections.from([{ name: 'main', vendor }])),
  door('MessageStore.of', 'parameters.a', ['parameters', 'a'], (a) => MessageStore.of({ parameters: { a } })),
  door('MessageStore.from, parameters', 'parameters.a', ['parameters', 'a'], (a) =>
    MessageStore.from({ parameters: { a } }),
  ),
  door(
    'MessageStore.from, a message',
    'sections.main.messages[0]._metadata.a',
    [...MESSAGE_IN_STORE, '_metadata', 'a'],
    (a) => MessageStore.from({ sections: [{ name: 'main', messages: [{ ...BASE, _metadata: { a } }] }] }),
  ),
  door('MessageStore.from, an unknown field', 'vendor', ['vendor'], (vendor) =>
    MessageStore.from({ sections: [], vendor }),
  ),
  door('MessageStore.fromJSON', 'parameters.a', ['parameters', 'a'], (a) =>
    MessageStore.fromJSON({ version: 1, sections: [], parameters: { a } }),
  ),
  door('parameters().setParameter', 'a', ['parameters', 'a'], (a) => STORE.parameters().setParameter('a', a)),
  door('parameters().mergeParameters', 'a', ['parameters', 'a'], (a) => STORE.parameters().mergeParameters({ a })),
  door('parameters().withParams', 'parameters.a', ['parameters', 'a'], (a) => STORE.parameters().withParams({ a })),
  door('section().appendMessages', '[0].vendor', ['sections', 0, 'messages', 1, 'vendor'], (vendor) =>
    STORE.section('main').appendMessages([{ ...BASE, vendor }]),
  ),
  door('store.update, parameters', 'parameters.a', ['parameters', 'a'], (a) =>
    STORE.update((draft) => void (draft.parameters['a'] = a)),
  ),
  door(
    'store.update, a message',
    'sections.main.messages[0]._metadata.a',
    [...MESSAGE_IN_STORE, '_metadata', 'a'],
    (a) => STORE.update((draft) => void (draft.sections[0]!.messages[0]!._metadata = { a })),
  ),
  door('store.applyPatches', 'parameters.a', ['parameters', 'a'], (value) =>
    STORE.applyPatches([{ op: 'add', path: ['parameters', 'a'], value }]),
  ),
];

/** Every door through which text can come that is no JSON value of its own: names, ids, types, texts. */
export const TEXT_DOORS: readonly (readonly [name: string, path: string, enter: (text: string) => unknown])[] = [
  ['Content.text', 'text', (text) => Content.text(text)],
  ['Content.texts', 'text', (text) => Content.texts('a', text)],
  ['Content.from', '', (text) => Content.from(text)],
  ['ContentPart.from', '', (text) => ContentPart.from(text)],
  ['ContentPart.text', 'text', (text) => ContentPart.text(text)],
  ['ContentPart.of, type', 'type', (text) => ContentPart.of(text)],
  ['ContentPart.from, type', 'type', (text) => ContentPart.from({ type: text })],
  ['ContentPart.imageUrl', 'image_url.url', (text) => ContentPart.imageUrl(text)],
  ['ContentPart.refusal', 'refusal', (text) => ContentPart.refusal(text)],
  ['ContentPart.reasoning', 'text', (text) => ContentPart.reasoning(text)],
  ['Message.from', '', (text) => Message.from(text)],
  ['Message.fromInput', '', (text) => Message.fromInput(text)],
  ['Messages.from', '[1]', (text) => Messages.from(['a', text])],
  ['Message.of, content', 'content', (text) => Message.of({ content: text })],
  ['Message.of, name', 'name', (text) => Message.of({ name: text })],
  ['Message.of, id', 'id', (text) => Message.of({ id: text })],
  ['Message.of, parentId', 'parentId', (text) => Message.of({ parentId: text })],
  ['Message.of, incomplete', 'incomplete.reason', (text) => Message.of({ incomplete: { reason: text } })],
  ['Message.from, content', 'content', (text) => Message.from({ role: 'user', content: text })],
  ['Message.from, name', 'name', (text) => Message.from({ role: 'user', content: '', name: text })],
  ['message.withName', 'name', (text) => Message.from('a').withName(text)],
  ['message.withParentId', 'parentId', (text) => Message.from('a').withParentId(text)],
  ['ToolCall.of, name', 'name', (text) => ToolCall.of({ name: text })],
  ['ToolCall.of, id', 'id', (text) => ToolCall.of({ name: 'f', id: text })],
  ['ToolCall.of, argument text', 'arguments', (text) => ToolCall.of({ name: 'f', args: `{"a":"${text}"}` })],
  ['ToolCall.from, name', 'name', (text) => ToolCall.from({ name: text })],
  ['call.withName', 'name', (text) => ToolCall.of({ name: 'f' }).withName(text)],
  ['ToolCalls.from, a name', 'tool_calls["\\ud83d"].name', (text) => ToolCalls.from({ [text]: {} })],
  ['ToolResult.of, content', 'content', (text) => ToolResult.of({ content: text })],
  ['ToolResult.of, call id', 'callId', (text) => ToolResult.of({ content: '', callId: text })],
  ['ToolResult.of, tool', 'toolName', (text) => ToolResult.of({ content: '', toolName: text })],
  ['ToolResult.from, tool', 'tool_name', (text) => ToolResult.from({ content: '', tool_name: text })],
  ['Section.of', 'name', (text) => Section.of(text)],
  ['section.withName', 'name', (text) => Section.of('a').withName(text)],
  ['store.section', 'name', (text) => MessageStore.empty().section(text).appendMessages('a')],
  ['store.withSection', 'name', (text) => MessageStore.empty().withSection(text)],
  ['Metadata.of, a key', '', (text) => Metadata.of({ [text]: 1 })],
  ['parameters().setParameter, a key', '', (text) => MessageStore.empty().parameters().setParameter(text, 1)],
];
