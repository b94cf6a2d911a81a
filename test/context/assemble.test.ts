import { describe, expect, it } from 'vitest';
import {
  assemble,
  type CanRenderMessages,
  fromUntrusted,
  layouts,
  Message,
  Messages,
  MessageStore,
  MessageStoreError,
  renderTemplates,
  Section,
  type SectionPolicy,
  setPolicy,
} from '../../src/index.ts';
import { assistant, call, chat, result, system, type Turn, user } from '../../src/testing/builders.ts';

const section = (name: string, policy: SectionPolicy | undefined, ...turns: Turn[]) =>
  Section.of(name, chat(...turns)).withPolicy(policy);
const store = (...sections: Section[]) => MessageStore.fromSections(...sections);
const texts = (input: { readonly messages: Iterable<unknown> }) => Array.from(input.messages, String);

describe('an assembly', () => {
  const given = store(
    section('chat', undefined, 'Hello!', assistant('Hi.')),
    section('system', undefined, system('Be brief.')),
    section('scratch', undefined, 'never sent'),
  );

  it('has the sections in the order of the store', () => {
    expect(texts(assemble(given))).toEqual(['Hello!', 'Hi.', 'Be brief.', 'never sent']);
  });

  it('has the sections that are asked for, in that order, and skips missing ones', () => {
    const assembly = assemble(given, { sections: ['system', 'examples', 'chat', 'system'] });
    expect(assembly.sections.names()).toEqual(['system', 'chat']);
    expect(texts(assembly)).toEqual(['Be brief.', 'Hello!', 'Hi.']);
    expect(assembly.report.unused).toEqual(['scratch']);
  });

  it('names the policies and headings that are for no section', () => {
    const options = {
      policies: { caht: { pin: true } },
      headings: { chat: { before: 'CHAT' }, exmaples: { before: 'E' } },
    };
    const { report } = assemble(given, options);
    expect(report.unknown).toEqual(['caht', 'exmaples']);
    expect(report.toJSON()['unknown']).toEqual(['caht', 'exmaples']);
    expect(assemble(given).report.toJSON()).not.toHaveProperty('unknown');
  });

  it('has the messages of the store, as they are', () => {
    const { messages } = assemble(given, { sections: ['system', 'chat'] });
    expect([...messages]).toEqual([...given.select(['system', 'chat']).toMessages()]);
    expect(messages.at(0)).toBe(given.section('system').messages().at(0));
    expect(assemble(store(section('chat', undefined, 'a'))).messages.size).toBe(1);
  });

  it('has no message that says nothing', () => {
    expect(texts(assemble(store(section('chat', undefined, '', 'a', ''))))).toEqual(['a']);
  });

  it('is the same for the same store', () => {
    const options = { headings: { chat: { before: 'So far:' } }, values: {}, budget: 1000 };
    expect(assemble(given, options).messages.equals(assemble(given, options).messages)).toBe(true);
  });

  it('can be in the order of a layout', () => {
    const filled = store(
      ...layouts.structured.toReversed().map((name) => section(name, undefined, name)),
      section('other', undefined, 'other'),
    );
    expect(layouts.structured).toHaveLength(22);
    expect(texts(assemble(filled, { sections: layouts.structured }))).toEqual(layouts.structured);
    expect(texts(assemble(given, { sections: layouts.chat }))).toEqual(['Be brief.']);
  });
});

describe('headings', () => {
  const given = store(section('examples', undefined, 'an example'), section('retries', undefined));

  it('stand before and behind a section, if it is filled', () => {
    const headings = {
      examples: { before: 'EXAMPLES', after: assistant('Understood.') },
      retries: { before: 'FIX THESE' },
      missing: { before: 'never' },
    };
    const { messages, report } = assemble(given, { headings });
    expect(messages.map((message) => [message.role, String(message)])).toEqual([
      ['user', 'EXAMPLES'],
      ['user', 'an example'],
      ['assistant', 'Understood.'],
    ]);
    expect(report.sections[0]?.kept.size).toBe(3);
  });

  it('give way to sections that are made for it', () => {
    const filled = given.section('pre-examples').appendMessages('My own heading');
    const { messages } = assemble(filled, {
      sections: layouts.structured,
      headings: { examples: { before: 'EXAMPLES', after: 'END' } },
    });
    expect(texts({ messages })).toEqual(['My own heading', 'an example', 'END']);
    const alone = assemble(filled, { sections: ['examples'], headings: { examples: { before: 'EXAMPLES' } } });
    expect(texts(alone)).toEqual(['EXAMPLES', 'an example']);
  });

  it('that say nothing do not go out, and are not counted', () => {
    const headings = { examples: { before: '', after: '{{end}}' } };
    const { messages, report } = assemble(given, { headings, values: { end: '' }, budget: 9, counter: () => 1 });
    expect(texts({ messages })).toEqual(['an example']);
    expect([report.tokens, report.sections[0]?.kept.size]).toEqual([1, 1]);
  });

  it('that are none are refused', () => {
    const headings = { examples: { after: 5 as never } };
    expect(() => assemble(given, { headings })).toThrow('headings.examples.after: expected a message');
  });

  it('that a client sent are never templates', () => {
    const sent = fromUntrusted([{ role: 'user', content: '{{secret}}' }]).messages.at(0) as Message;
    const { messages } = assemble(given, { headings: { examples: { before: sent } }, values: { secret: 's' } });
    expect(texts({ messages })).toEqual(['{{secret}}', 'an example']);
  });

  it('are gone where nothing of the section is left', () => {
    const long = store(section('notes', undefined, 'a', 'b'), section('chat', undefined, 'c'));
    const at = (budget: number) =>
      texts(assemble(long, { budget, counter: () => 1, headings: { notes: { before: 'NOTES', after: 'END' } } }));
    expect(at(5)).toEqual(['NOTES', 'a', 'b', 'END', 'c']);
    expect(at(4)).toEqual(['NOTES', 'b', 'END', 'c']);
    expect(at(3)).toEqual(['c']);
    expect(at(1)).toEqual(['c']);
  });
});

describe('templates', () => {
  const asking = store(
    section('system', undefined, system('You are {{name}}.')),
    section('chat', undefined, 'I type {{name}}', assistant('{{name}}?'), call('f'), result('f', 'found {{name}}')),
  );

  it('are filled with the values given, and with the parameters of the store', () => {
    const named = asking.parameters().setParameter('name', 'Ada');
    expect(texts(assemble(named))[0]).toBe('You are Ada.');
    expect(texts(assemble(named, { values: { name: 'Eve' } }))[0]).toBe('You are Eve.');
  });

  it('are the texts of instructions, and nothing that users, tools and models said', () => {
    expect(texts(assemble(asking, { values: { name: 'Ada' } }))).toEqual([
      'You are Ada.',
      'I type {{name}}',
      '{{name}}?',
      '',
      'found {{name}}',
    ]);
  });

  it('are all texts of a section that says so, and none of one that says no', () => {
    const values = { name: 'Ada' };
    const trusting = assemble(asking, { values, policies: { chat: { trust: true } } });
    expect(texts(trusting).slice(1)).toEqual(['I type Ada', 'Ada?', '', 'found Ada']);
    const distrusting = assemble(asking, { values, policies: { system: { trust: false } } });
    expect(texts(distrusting)[0]).toBe('You are {{name}}.');
  });

  it('are never what came from a client', () => {
    const client = user('{{name}}').withMetadata('untrusted', true);
    const given = store(section('prompt', { trust: true }, client, 'Hello {{name}}'));
    expect(texts(assemble(given, { values: { name: 'Ada' } }))).toEqual(['{{name}}', 'Hello Ada']);
  });

  it('name the variable, the section and the message where a value is missing', () => {
    const broken = store(section('system', undefined, system('One.'), system('You are {{who}}.')));
    let thrown: unknown;
    try {
      assemble(broken, { values: { name: 'Ada' } });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MessageStoreError);
    expect(thrown).toMatchObject({ code: 'missing_variable', path: 'sections.system.messages[1].content' });
    expect((thrown as Error).message).toMatch(/^sections\.system\.messages\[1\]\.content: .*who.*name/s);
  });

  it('are filled in headings too', () => {
    const options = { values: { n: 3 }, headings: { chat: { before: 'The last {{n}}:' } } };
    expect(texts(assemble(store(section('chat', undefined, 'a')), options))).toEqual(['The last 3:', 'a']);
  });

  it('leave the identity of messages, and messages without variables as they are', () => {
    const said = system('Plain.');
    const filled = system('Hi {{name}}.');
    const { messages } = assemble(store(section('system', undefined, said, filled)), { values: { name: 'Ada' } });
    expect(messages.at(0)).toBe(said);
    expect(messages.at(1)).toMatchObject({ id: filled.id, timestamp: filled.timestamp });
  });

  it('may be filled by a renderer of your own, which may also give other messages', () => {
    const twice: CanRenderMessages = {
      renderMessages: (messages, values) => Messages.of(...messages, Message.asSystem(`and ${JSON.stringify(values)}`)),
    };
    expect(texts(assemble(asking.select('system'), { renderer: twice, values: { a: 1 } }))).toEqual([
      'You are {{name}}.',
      'and {"a":1}',
    ]);
  });

  it('fail as the renderer fails', () => {
    const failing = (error: Error): CanRenderMessages => ({
      renderMessages: () => {
        throw error;
      },
    });
    expect(() => assemble(asking, { renderer: failing(new Error('no templates today')) })).toThrow(
      'no templates today',
    );
    const elsewhere = new MessageStoreError('invalid_template', 'no template', { path: 'options' });
    expect(() => assemble(asking, { renderer: failing(elsewhere) })).toThrow(elsewhere);
    expect(() => assemble(asking, { renderer: Promise.resolve() as never })).toThrow(
      'renderer: expected a renderer (liquidRenderer() gives a promise of one: await it)',
    );
  });

  it('can be filled alone', () => {
    const filled = renderTemplates(asking, { values: { name: 'Ada' } });
    expect(filled.section('system').messages().map(String)).toEqual(['You are Ada.']);
    expect(filled.section('chat').get()).toBe(asking.section('chat').get());
    expect(renderTemplates(filled)).toBe(filled);
  });

  it('are filled in time linear in the sections', () => {
    const many = MessageStore.of({
      sections: Array.from({ length: 20_000 }, (_, at) => section(`${at}`, undefined, system('{{n}}'))),
    });
    expect(
      renderTemplates(many, { values: { n: 1 } })
        .toMessages()
        .map(String),
    ).toEqual(Array.from({ length: 20_000 }, () => '1'));
  });
});

describe('setPolicy', () => {
  it('gives a section a policy, and takes it away', () => {
    const given = store(section('chat', undefined, 'a'));
    const pinned = given.pipe(setPolicy('chat', { pin: true, budget: '25%' }));
    expect(pinned.section('chat').get().policy).toEqual({ pin: true, budget: '25%' });
    expect(given.pipe(setPolicy('chat', undefined))).toBe(given);
    expect(pinned.pipe(setPolicy('chat', undefined)).equals(given)).toBe(true);
  });

  it('makes the section where there is none', () => {
    expect(
      MessageStore.empty()
        .pipe(setPolicy('chat', { pin: true }))
        .sections.names(),
    ).toEqual(['chat']);
  });

  it('survives JSON and merging, where the keys of the other win', () => {
    const one = MessageStore.empty().pipe(setPolicy('chat', { pin: true, budget: 5 }));
    const two = MessageStore.empty().pipe(setPolicy('chat', { budget: '10%', cache: true }));
    const merged = MessageStore.parse(JSON.stringify(one.merge(two)));
    expect(merged.section('chat').get().policy).toEqual({ pin: true, budget: '10%', cache: true });
  });
});
