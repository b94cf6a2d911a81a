/** What the reference (Instructor's messages package) does wrong and this library does not: one test for each finding. */
import {
  Content,
  ContentPart,
  ImageSource,
  Message,
  Messages,
  MessageStore,
  Section,
  ToolCall,
  ToolCalls,
  ToolResult,
} from 'message-store';
import { openaiChat } from 'message-store/formats/openai-chat';
import { assistant, call, chat, result, user } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const openaiCall = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };

describe('a finding about reading messages', () => {
  it('RB-01: a message of tool calls is a message, with content null or none', () => {
    for (const input of [
      { role: 'assistant', content: null, tool_calls: [openaiCall] },
      { role: 'assistant', tool_calls: [openaiCall] },
    ]) {
      expect(Message.isMessage(input)).toBe(true);
      for (const messages of [
        Messages.from([input]),
        Section.from({ name: 'a', messages: [input] }).messages,
        MessageStore.from({ sections: [{ name: 'a', messages: [input] }] }).toMessages(),
      ]) {
        expect(messages.map(({ toolCalls }) => String(toolCalls))).toEqual(['weather(city=Oslo)']);
      }
    }
  });

  it('RB-02: tool_call_id binds a result, which is never merged', () => {
    const turn = ['c1', 'c2'].map((id) => ({
      role: 'tool',
      content: `result of ${id}`,
      tool_call_id: id,
      name: 'weather',
    }));
    const results = Messages.from(turn);
    expect(results.map(({ toolResult }) => [toolResult?.callId, toolResult?.toolName, String(toolResult)])).toEqual([
      ['c1', 'weather', 'result of c1'],
      ['c2', 'weather', 'result of c2'],
    ]);
    expect(results.toMergedPerRole()).toBe(results);
    expect(ToolResult.from({ content: 'a', tool_call_id: 'c1' }).callId).toBe('c1');
  });

  it('RB-03: the stored form is not taken for a request: a format makes that', () => {
    const turn = assistant('', call('weather', { city: 'Oslo' }, 'c1'));
    expect(turn.toJSON().tool_calls).toEqual([{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }]);
    expect(openaiChat.encode(Messages.of(turn), { openTurn: 'cancel' }).payload.messages[0]).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [openaiCall],
    });
  });

  it('RB-04: the time keeps its milliseconds', () => {
    const message = Message.of({ createdAt: '2026-01-31T12:00:00.123Z' });
    expect(message.toJSON().createdAt).toBe('2026-01-31T12:00:00.123Z');
    expect(Message.fromJSON(message.toJSON()).createdAt.getMilliseconds()).toBe(123);
  });

  it('RB-05: a time is ISO 8601, or it is refused', () => {
    for (const createdAt of ['', 'tomorrow', '+1 day', '2026-01-31 12:00:00Z', '2026-02-30T12:00:00Z', 1_769_860_800]) {
      expect(() => Message.from({ role: 'user', content: 'a', createdAt })).toThrow(
        'createdAt: expected an ISO 8601 date and time',
      );
    }
    expect(Message.from({ role: 'user', content: 'a', createdAt: '2026-01-31T12:00+0130' }).timestamp).toBe(
      '2026-01-31T10:30:00.000Z',
    );
  });

  it('RB-12: ids of every UUID version and of every provider are kept', () => {
    for (const id of [
      '1ef21d2f-6ad4-6dc0-9d6a-2b0dd7f4b7c5',
      '0190163d-8694-739b-aea5-966c26f8ad91',
      'msg_01XYZ',
      'chatcmpl-9',
    ]) {
      expect(Message.from({ role: 'user', content: 'a', id }).id).toBe(id);
    }
    const id = '4CCAB2CE-F948-4A7B-BEC6-103D5125687C';
    expect(Message.of({ id }).id).toBe(Message.of({ id: id.toLowerCase() }).id);
  });

  it('RB-14: an object is one message, or it is refused; never a list of its fields', () => {
    expect(Messages.from({ role: 'assistant', content: 'Hi' }).map(String)).toEqual(['Hi']);
    expect(() => Messages.from({ greeting: 'hello' })).toThrow('expected a message');
    expect(() => Messages.from([{ greeting: 'hello' }])).toThrow('[0]: expected a message with a role and content');
  });

  it('RB-15: one call is one call', () => {
    expect(ToolCalls.from({ id: 'c1', name: 'f', arguments: {} }).size).toBe(1);
    expect(ToolCalls.from(openaiCall).size).toBe(1);
    expect(ToolCalls.from({ id: 'c1', type: 'custom', custom: { name: 'f', input: 'a' } }).size).toBe(1);
  });

  it('RB-16: a blank role means the default at every loose door', () => {
    expect(Message.of({ role: '' }).role).toBe('user');
    expect(Message.from({ role: '', content: 'a' }).role).toBe('user');
    expect([Message.from('a', '').role, Message.fromInput('a', '').role, Messages.from('a', '').firstRole()]).toEqual([
      'user',
      'user',
      'user',
    ]);
    expect(Message.from(assistant('a'), '').role).toBe('assistant');
  });

  it('RB-17: legacy tool data is read where the new place is empty, and kept where it cannot be read', () => {
    const legacy = { role: 'assistant', content: '', tool_calls: [], _metadata: { tool_calls: [openaiCall], note: 1 } };
    expect(Message.from(legacy).toolCalls.map(String)).toEqual(['weather(city=Oslo)']);
    expect(Message.from(legacy).metadata.toJSON()).toEqual({ note: 1 });
    expect(
      Message.from({ role: 'assistant', content: '', _metadata: { tool_calls: 'odd' } }).metadata.toJSON(),
    ).toEqual({ tool_calls: 'odd' });
  });
});

describe('a finding about tool calls', () => {
  it('RB-06: empty arguments are {}, at every depth, in every form', () => {
    const lone = ToolCall.of({ name: 'f', args: { filter: {}, list: [] } });
    expect([ToolCall.of({ name: 'f' }).argsAsJson(), lone.argsAsJson()]).toEqual(['{}', '{"filter":{},"list":[]}']);
    const read = MessageStore.parse(JSON.stringify(MessageStore.fromMessages(assistant('', lone))));
    expect(read.toMessages().first()?.toolCalls.first()?.argsAsJson()).toBe('{"filter":{},"list":[]}');
    const turn = assistant('', ToolCall.of({ name: 'f' }));
    expect(JSON.stringify(openaiChat.encode(Messages.of(turn), { openTurn: 'cancel' }).payload)).toContain(
      '"arguments":"{}"',
    );
  });

  it('RB-07: malformed arguments are never repaired in silence', () => {
    for (const args of ['about forty two', '42', '{"city":"Os', String.raw`{"a":"C:\\x","b":"\q"}`]) {
      const malformed = call('weather', args, 'c1');
      expect([malformed.isMalformed(), malformed.argsText]).toEqual([true, args]);
      expect(() => malformed.args).toThrow('tool call weather (c1): arguments: expected a JSON object');
    }
    expect(call('f', { a: 1 }).withArgs('nope').argsText).toBe('nope');
    expect(call('f', '{"city":"Os').partialArgs()).toEqual({ city: 'Os' });
  });
});

describe('a finding about content', () => {
  it('RB-08: a field named type never overrides the type', () => {
    const part = ContentPart.of('text', { text: 'a' }).withField('type', 'image_url');
    expect([part.type, part.toJSON().type, part.toExport().type]).toEqual(['text', 'text', 'text']);
  });

  it('RB-09: unknown keys of a payload are kept', () => {
    const file = { type: 'file', file: { file_data: 'data:,x', file_name: 'a', mime_type: 'text/plain', pages: [1] } };
    const audio = { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav', rate: 16_000 } };
    expect([ContentPart.from(file).toJSON(), ContentPart.from(audio).toJSON()]).toEqual([file, audio]);
  });

  it('RB-10: a blank part comes back, and merging a blank message leaves text as it is', () => {
    const parts = user([ContentPart.text(''), ContentPart.imageUrl('u')]);
    expect(Message.fromJSON(parts.toJSON()).equals(parts)).toBe(true);
    expect(ContentPart.text('').toExport()).toEqual({ type: 'text', text: '' });
    expect(user('a').withMergedFrom(user('')).content.toJSON()).toBe('a');
    expect(
      chat('a', '', assistant('b'))
        .toMergedPerRole()
        .map(({ content }) => content.toJSON()),
    ).toEqual(['a', 'b']);
  });

  it('RB-11: what is empty is never composite, and what is composite is never flattened', () => {
    const nothing = Content.of(ContentPart.of('text'));
    expect([nothing.isEmpty(), nothing.isComposite()]).toEqual([true, false]);
    expect(chat(user(nothing), 'a').toString()).toBe('a\n');
    expect(Content.of(ContentPart.of('thinking', { text: 'a' })).normalized()).toEqual([
      { type: 'thinking', text: 'a' },
    ]);
  });

  it('RB-20: what is an image address is told by its scheme, in whatever case, not by how it begins', () => {
    expect(ImageSource.fromUrl('HTTPS://a/b.png').url).toBe('HTTPS://a/b.png');
    expect(ImageSource.fromUrl('ftp://a/b.png').url).toBe('ftp://a/b.png');
    for (const bad of ['', 'iVBORw0KGgo=']) {
      expect(() => ImageSource.fromUrl(bad)).toThrow('expected a URL with a scheme');
      expect(() => ImageSource.fromDataUri(bad)).toThrow('expected a data URI');
    }
  });

  it('RB-41: a file is named file_name here and filename on OpenAI’s wire', () => {
    const wire = { role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_id: 'f1' } }] };
    const { messages } = openaiChat.decode([wire]);
    expect(messages.first()?.contentParts().first()?.get('file')).toEqual({ file_name: 'a.pdf', file_id: 'f1' });
    expect(openaiChat.encode(messages).payload.messages).toEqual([wire]);
  });
});

describe('a finding about collections', () => {
  it('RB-13: speakers of different names are kept apart where that is asked for', () => {
    expect(
      chat(user('a', 'ada'), user('b', 'bob'))
        .toMergedPerRole({ splitOnName: true })
        .map(({ name }) => name),
    ).toEqual(['ada', 'bob']);
  });

  it('RB-18: what is appended is appended, blank or not', () => {
    const blanks = [chat('', ''), ['', ''], chat('', '').toJSON()] as const;
    for (const blank of blanks) {
      expect(chat('a').appendMessages(blank as Messages).size).toBe(3);
      expect(
        MessageStore.empty()
          .section('x')
          .appendMessages(blank as Messages)
          .section('x')
          .messages().size,
      ).toBe(2);
    }
    expect(Section.of('x', ['']).toMergedPerRole().size).toBe(1);
  });

  it('RB-19: prepending nothing changes nothing', () => {
    const messages = chat('a', 'b');
    expect([messages.prependMessages([]), messages.prependMessages(Messages.empty())]).toEqual([messages, messages]);
    expect(messages.prependMessages([]).size).toBe(2);
  });

  it('RB-21: there is no first message of none', () => {
    expect([Messages.empty().first(), Messages.empty().last()]).toEqual([undefined, undefined]);
  });

  it('RB-29: a section may have a number for a name', () => {
    const numbered = MessageStore.fromMessages('a', '2024').section('7').appendMessages('b');
    expect(MessageStore.parse(JSON.stringify(numbered)).sections.names()).toEqual(['2024', '7']);
  });

  it('and the smaller ones: "0" is text, and numeric keys of metadata stay where they are', () => {
    expect(chat('0', 'a').toString()).toBe('0\na\n');
    expect(
      Message.of({ metadata: { 10: 'a' } })
        .withMetadata('10', 'b')
        .metadata.toJSON(),
    ).toEqual({ 10: 'b' });
    expect(JSON.stringify(result('c1', 'a/b é').toJSON().content)).toBe('"a/b é"');
  });
});
