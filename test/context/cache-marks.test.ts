import { describe, expect, it } from 'vitest';
import { anthropic } from '../../src/formats/anthropic/index.ts';
import { bedrock } from '../../src/formats/bedrock/index.ts';
import { gemini } from '../../src/formats/gemini/index.ts';
import { mistral } from '../../src/formats/mistral/index.ts';
import { ollama } from '../../src/formats/ollama/index.ts';
import { openaiChat } from '../../src/formats/openai-chat/index.ts';
import { openaiResponses } from '../../src/formats/openai-responses/index.ts';
import {
  assemble,
  type Assembly,
  ContentPart,
  MessageStore,
  Section,
  type SectionPolicy,
  ToolCall,
} from '../../src/index.ts';
import { assistant, call, chat, developer, result, system, type Turn, user } from '../../src/testing/builders.ts';
import { checkAnthropic } from '../../src/testing/index.ts';
import { checkRequests } from './check-requests.ts';

const section = (name: string, cache: SectionPolicy['cache'], ...turns: Turn[]) =>
  Section.of(name, chat(...turns)).withPolicy(cache === undefined ? undefined : { cache });
const assembled = (...sections: Section[]): Assembly => assemble(MessageStore.fromSections(...sections));

const instructions = section('system', true, system('Be brief.'));
const examples = section('examples', '1h', 'Oslo?', assistant('Cold.'));
const now = section('prompt', undefined, 'Rome?');

describe('cache policies', () => {
  it('are marks behind the last message of their sections', () => {
    expect(
      assembled(section('system', '5m', system('a'), '', system('b')), examples, section('none', true), now).marks,
    ).toEqual([
      { at: 1, section: 'system', lifetime: '5m' },
      { at: 3, section: 'examples', lifetime: '1h' },
    ]);
    expect(assembled(section('a', false, 'x'), now).marks).toEqual([]);
  });

  it('stand behind headings, and are gone with what is left out', () => {
    const store = MessageStore.fromSections(section('notes', true, 'a', 'b'), now);
    const options = { counter: () => 1, headings: { notes: { after: 'END' } } };
    expect(assemble(store, options).marks).toEqual([{ at: 2, section: 'notes' }]);
    expect(assemble(store, { ...options, budget: 1 }).marks).toEqual([]);
  });

  it('leave the messages as they are', () => {
    const assembly = assembled(instructions, now);
    expect([...assembly.messages]).toEqual([...instructions.messages, ...now.messages]);
    anthropic.encode(assembly);
    expect(assembly.messages.at(0)?.content.plainText).toBe('Be brief.');
  });
});

describe('Anthropic', () => {
  const encode = (...sections: Section[]) => anthropic.encode(assembled(...sections));

  it('has marks on texts, and longer ones first', () => {
    const { payload, report } = encode(instructions, examples, now);
    expect(payload).toEqual({
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Oslo?' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Cold.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
        { role: 'user', content: [{ type: 'text', text: 'Rome?' }] },
      ],
    });
    expect(report.losses).toMatchObject([{ path: 'messages[0]', rule: 'cache-lifetime', action: 'degraded' }]);
  });

  it('has marks on calls and answers', () => {
    const asked = section('asked', true, 'Weather?', call('f'));
    const { payload } = anthropic.encode(assembled(asked), { openTurn: 'cancel' });
    expect(payload.messages[1]?.content).toMatchObject([{ type: 'tool_use', cache_control: { type: 'ephemeral' } }]);
    const answered = encode(section('tools', true, 'Weather?', call('f'), result('f', 'sun')), now);
    expect(answered.payload.messages[2]?.content).toMatchObject([
      { type: 'tool_result', content: 'sun', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Rome?' },
    ]);
    expect(answered.report.losses).toEqual([]);
  });

  it('has none on reasoning and on blank texts: those stand on what is before', () => {
    const signed = ContentPart.of('reasoning', {
      text: 'hm',
      _origin: { provider: 'anthropic', data: { signature: 's' } },
    });
    const thought = assistant([ContentPart.text('Aha.'), signed]);
    const { payload } = encode(section('a', true, 'q', thought), now);
    expect(payload.messages[1]?.content).toEqual([
      { type: 'text', text: 'Aha.', cache_control: { type: 'ephemeral' } },
    ]);
    const blank = encode(section('a', true, 'q', user(' ')), now);
    expect(blank.payload.messages[0]?.content).toMatchObject([{ text: 'q', cache_control: { type: 'ephemeral' } }, {}]);
    expect(blank.report.losses).toContainEqual(
      expect.objectContaining({ path: 'messages[1]', rule: 'cache-marks', action: 'moved' }),
    );
  });

  it('has marks beside those that a history brings, whose lifetimes may be none that is known', () => {
    const own = (ttl: string) =>
      user([ContentPart.text('own').withField('cache_control', { type: 'ephemeral', ttl }), ContentPart.text('x')]);
    const marks = (...sections: Section[]) =>
      assembled(...sections)
        .marked('cache_control')
        .messages.map((message) => message.content.parts.map((part) => part.get('cache_control')));
    const ephemeral = (ttl?: string) => ({ type: 'ephemeral', ...(ttl !== undefined && { ttl }) });
    expect(marks(section('a', true, own('1h')), now)).toEqual([[ephemeral('1h'), ephemeral()], [undefined]]);
    const rules = system([ContentPart.text('own').withField('cache_control', { type: 'ephemeral', ttl: '5m' })]);
    expect(marks(section('a', '1h', 'q'), section('b', undefined, rules))).toEqual([
      [ephemeral('5m')],
      [ephemeral('5m')],
    ]);
    expect(marks(section('a', '1h', own('2d')), now)).toEqual([[ephemeral('2d'), ephemeral('5m')], [undefined]]);
  });

  it('marks the last of several calls', () => {
    const { payload } = anthropic.encode(assembled(section('a', true, assistant('', call('f'), call('g')))), {
      openTurn: 'cancel',
    });
    expect(payload.messages[1]?.content).toMatchObject([{ name: 'f' }, { name: 'g', cache_control: {} }]);
    expect(payload.messages[1]?.content[0]).not.toHaveProperty('cache_control');
  });

  it('has four at most: the earliest are left out, and told', () => {
    const { payload, report } = encode(
      ...[1, 2, 3, 4, 5, 6].map((n) => section(`s${n}`, true, `q${n}`, assistant(`a${n}`))),
    );
    expect(JSON.stringify(payload).match(/cache_control/g)).toHaveLength(4);
    expect(payload.messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'a1' }] });
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[1].content[0]', 'cache-marks', 'dropped'],
      ['messages[3].content[0]', 'cache-marks', 'dropped'],
    ]);
  });
});

describe('marks that a history brings along', () => {
  const marked = (ttl: '5m' | '1h', text = 'q') =>
    user([ContentPart.of('text', { text, cache_control: { type: 'ephemeral', ttl } })]);
  const lifetimes = (...sections: Section[]) =>
    Array.from(
      JSON.stringify(anthropic.encode(assembled(...sections)).payload).matchAll(/"ephemeral"(?:,"ttl":"(\w+)")?/g),
      ([, ttl]) => ttl,
    );

  it('are no reason for a request that is refused: earlier marks live as long as they do', () => {
    expect(lifetimes(instructions, section('chat', undefined, marked('1h')))).toEqual(['1h', '1h']);
    expect(lifetimes(section('chat', undefined, marked('5m')), section('more', '1h', 'x'), now)).toEqual(['5m', '5m']);
    expect(lifetimes(section('chat', undefined, marked('1h')), section('more', true, 'x'), now)).toEqual([
      '1h',
      undefined,
    ]);
  });

  it('are not cut short by a mark in their place', () => {
    expect(lifetimes(section('chat', true, marked('1h')), now)).toEqual(['1h']);
    expect(lifetimes(section('chat', '1h', marked('5m')), now)).toEqual(['1h']);
  });

  it('are told where they change the lifetime of another', () => {
    const { report } = anthropic.encode(
      assembled(section('chat', undefined, marked('5m')), section('more', '1h', 'x'), now),
    );
    expect(report.losses).toMatchObject([{ path: 'messages[1]', rule: 'cache-lifetime', action: 'degraded' }]);
  });

  it('of answers and calls count too', () => {
    const called = assistant(
      '',
      ToolCall.fromJSON({ ...call('f').toJSON(), cache_control: { type: 'ephemeral', ttl: '1h' } }),
    );
    expect(lifetimes(instructions, section('tools', undefined, 'x', called, result('f', 'y')), now)).toEqual([
      '1h',
      '1h',
    ]);
  });
});

describe('a mark', () => {
  const marksIn = (payload: unknown) =>
    JSON.stringify(payload).match(/cache_control|cachePoint|cache_breakpoint/g)?.length ?? 0;

  it('of instructions that go out before all else lives as long as those behind it there', () => {
    const { payload } = anthropic.encode(
      assembled(section('chat', '1h', 'a', assistant('b')), section('rules', true, system('S')), now),
    );
    expect(payload.system).toMatchObject([{ cache_control: { ttl: '1h' } }]);
    const talk = section('chat', true, 'a', assistant('b'));
    const stays = anthropic.encode(assembled(talk, section('rules', '1h', system('S')), now), {
      systemInMessages: true,
    });
    expect(JSON.stringify(stays.payload).match(/"ttl":"1h"/g)).toHaveLength(2);
  });

  it('of a message that has to live longer is no longer than those of instructions behind it', () => {
    const asks = section('chat', true, 'a', assistant('b'));
    const { payload } = anthropic.encode(
      assembled(asks, section('rules', '1h', system('S')), section('more', true, developer('D')), now),
    );
    expect(checkAnthropic(payload)).toEqual([]);
    expect(JSON.stringify(payload).match(/"ttl":"1h"/g)).toHaveLength(3);
  });

  it('that a history brings along lives longer where instructions go out before it', () => {
    const marked = (text: string, ttl?: '1h') =>
      ContentPart.of('text', { text, cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
    const brought = chat(user([marked('doc', '1h')]), assistant('ok'), system([marked('rule')]), 'q');
    const { payload, report } = anthropic.encode(brought);
    expect(payload.system).toMatchObject([{ text: 'rule', cache_control: { ttl: '1h' } }]);
    expect(checkAnthropic(payload)).toEqual([]);
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[2]', 'system-place', 'moved'],
      ['messages[2].content[0]', 'cache-lifetime', 'degraded'],
    ]);
    const { payload: there, report: told } = bedrock.encode(brought);
    expect(there.system?.[1]).toEqual({ cachePoint: { type: 'default', ttl: '1h' } });
    expect(told.losses.map(({ rule }) => rule)).toContain('cache-lifetime');
    const long = chat(
      user([marked('doc', '1h')]),
      assistant('ok'),
      system([marked('rule', '1h')]),
      user([marked('q')]),
    );
    expect(anthropic.encode(long).report.losses.map(({ rule }) => rule)).toEqual(['system-place']);
    expect(bedrock.encode(long).report.losses.map(({ rule }) => rule)).toEqual(['system-place']);
  });

  it.each([true, false])('behind a shorter one that was brought along is no longer (instructions stay: %s)', (stay) => {
    const marked = (text: string, ttl: '5m' | '1h') =>
      ContentPart.of('text', { text, cache_control: { type: 'ephemeral', ttl } });
    const turns = [user([marked('doc', '1h')]), assistant([marked('ok', '5m')]), 'q', system('rule')];
    const { payload } = anthropic.encode(assembled(section('chat', '1h', ...turns)), { systemInMessages: stay });
    expect(checkAnthropic(payload)).toEqual([]);
    expect(JSON.stringify(payload.messages)).toContain('"ttl":"5m"');
    expect(marksIn(payload)).toBe(3);
  });

  it('never stands a fifth time, whatever is asked for', () => {
    const many = assembled(...['a', 'b', 'c', 'd', 'e'].map((name) => section(name, true, name)));
    expect(marksIn(anthropic.encode(many, { cacheMarks: 9 }).payload)).toBe(4);
    expect(marksIn(bedrock.encode(many, { cachePoints: 9 }).payload)).toBe(4);
  });

  it('stands on what the wire takes', () => {
    const [photo, sound] = [
      ContentPart.imageUrl('https://a.test/b.png'),
      ContentPart.of('input_audio', { data: 'AAAA', format: 'wav' }),
    ];
    const [text] = [ContentPart.text('T')];
    const asked = [system([text, photo]), assistant([text, photo]), user([text, sound])];
    for (const [at, turn] of asked.entries())
      for (const format of [anthropic, bedrock, openaiChat, openaiResponses]) {
        if (at === 1 && format.name.includes('openai')) continue;
        expect(marksIn(format.encode(assembled(section('a', true, turn), now)).payload), format.name).toBe(1);
      }
  });

  it('stands once, also on a part that stands twice in a message', () => {
    const text = ContentPart.text('again');
    const { payload } = anthropic.encode(assembled(section('a', true, user([text, ContentPart.text('b'), text])), now));
    expect(payload.messages[0]?.content).toMatchObject([{}, {}, { cache_control: {} }, {}]);
    expect(marksIn(payload)).toBe(1);
  });
});

describe('Bedrock', () => {
  it('has points behind what they close', () => {
    const { payload } = bedrock.encode(assembled(instructions, examples, now));
    expect(payload).toEqual({
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [
        { role: 'user', content: [{ text: 'Oslo?' }] },
        { role: 'assistant', content: [{ text: 'Cold.' }, { cachePoint: { type: 'default', ttl: '1h' } }] },
        { role: 'user', content: [{ text: 'Rome?' }] },
      ],
    });
  });
});

describe('OpenAI', () => {
  const breakpoint = { mode: 'explicit', ttl: '12h' };

  it('has breakpoints on what goes in, with its own lifetimes', () => {
    const { payload, report } = openaiChat.encode(assembled(instructions, examples, now));
    expect(payload.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', prompt_cache_breakpoint: breakpoint }] },
      { role: 'user', content: [{ type: 'text', text: 'Oslo?', prompt_cache_breakpoint: breakpoint }] },
      { role: 'assistant', content: 'Cold.' },
      { role: 'user', content: 'Rome?' },
    ]);
    expect(report.losses.map(({ path, rule, action }) => [path, rule, action])).toEqual([
      ['messages[0]', 'cache-lifetime', 'degraded'],
      ['messages[2]', 'cache-marks', 'moved'],
      ['messages[2]', 'cache-lifetime', 'degraded'],
    ]);
  });

  it('has one where two sections would have theirs on one message, and none where nothing can have one', () => {
    const { payload, report } = openaiChat.encode(
      assembled(section('a', true, 'q'), section('b', true, assistant('a')), now),
    );
    expect(JSON.stringify(payload).match(/prompt_cache_breakpoint/g)).toHaveLength(1);
    expect(report.losses.map(({ path, action, message }) => [path, action, message])).toEqual([
      ['messages[0]', 'dropped', 'the cache mark of the section "a": the mark behind it stands here: left out'],
      ['messages[1]', 'moved', 'the cache mark of the section "b": stands behind messages[0], which can have one'],
    ]);
    const nothing = openaiChat.encode(assembled(section('a', true, assistant('a')), now));
    expect(nothing.report.losses).toMatchObject([
      { path: 'messages[0]', action: 'dropped', message: expect.stringContaining('nothing up to here can have one') },
    ]);
  });

  it('has them in Responses too, where instructions then stay in the input', () => {
    const { payload } = openaiResponses.encode(assembled(instructions, now));
    expect(payload).toEqual({
      input: [
        {
          role: 'system',
          content: [{ type: 'input_text', text: 'Be brief.', prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
        { role: 'user', content: 'Rome?' },
      ],
    });
  });

  it.each([openaiChat, openaiResponses])(
    '$name leaves them out for models that refuse them, and tells it',
    (format) => {
      const { payload, report } = format.encode(assembled(instructions, now), { cacheMarks: false });
      expect(JSON.stringify(payload)).not.toContain('cache');
      const message = 'the cache mark of the section "system": the options want none: left out';
      expect(report.losses).toEqual([{ path: 'messages[0]', rule: 'cache-marks', action: 'dropped', message }]);
    },
  );
});

describe('wires without cache marks', () => {
  it.each([gemini, mistral, ollama])('$name tell it, unless that is known', (format) => {
    const assembly = assembled(instructions, now);
    expect(format.encode(assembly).report.losses).toEqual([
      {
        path: 'messages[0]',
        rule: 'cache-marks',
        action: 'dropped',
        message: 'the cache mark of the section "system": this wire has no cache marks: left out',
      },
    ]);
    expect(format.encode(assembly, { acceptLosses: ['cache-marks'] }).report.losses).toEqual([]);
    expect(() => format.encode(assembly, { losses: 'throw' })).toThrow('no cache marks');
  });
});

describe('every format', () => {
  it('takes an assembly as a store: what is open at the end of a section is refused', () => {
    const open = assembled(section('chat', true, 'Weather?', call('f')), now);
    for (const format of [anthropic, bedrock, gemini, mistral, ollama, openaiChat, openaiResponses])
      expect(() => format.encode(open)).toThrow('chat');
    checkRequests(open);
  });

  it('makes the same request of a store and of its assembly without policies', () => {
    const store = MessageStore.fromSections(section('system', undefined, system('Be brief.')), now);
    for (const format of [anthropic, bedrock, gemini, mistral, ollama, openaiChat, openaiResponses])
      expect(JSON.stringify(format.encode(assemble(store)).payload)).toBe(JSON.stringify(format.encode(store).payload));
  });

  it('leads from its payload back to the message as it is stored', () => {
    const { report } = anthropic.encode(assembled(instructions, examples, now));
    const [explanation] = report.explain('messages.1.content.0');
    expect(explanation?.message).toBe(examples.messages.at(1));
  });
});
