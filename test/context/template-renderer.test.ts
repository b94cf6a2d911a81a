import { Messages, type TemplateRendererOptions, templateRenderer } from 'message-store';
import { describe, expect, it } from 'vitest';

type Parameters = Readonly<Record<string, unknown>>;

const filled = (text: string, parameters: Parameters, options?: TemplateRendererOptions) =>
  templateRenderer(options).renderMessages(Messages.from(text), parameters).at(0)?.toString();
const keeping = (text: string, parameters: Parameters) => filled(text, parameters, { missing: 'keep' });
const within = (open: string, close: string) => ({ delimiters: [open, close] as const });

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a template', () => {
  it('takes values by their names, with white space around them or not', () => {
    const parameters = { name: 'Ola', user: { name: 'Per' }, items: ['a', { b: 'c' }] };
    expect(filled('{{name}}, {{ name }}, {{\n user.name\t}}', parameters)).toBe('Ola, Ola, Per');
    expect(filled('{{items.0}} {{items.1.b}}', parameters)).toBe('a c');
    expect(filled('{{name}}{{name}}', parameters)).toBe('OlaOla');
    expect(filled('', parameters)).toBe('');
  });

  it('takes names of letters of any script, digits, `_`, `-` and `$`', () => {
    const names = ['größe', '名前', 'имя', 'नाम', 'نام‌خانوادگی', '0', 'a1', 'a_b', 'a-b', '$a'];
    for (const name of names) expect(filled(`<{{ ${name} }}>`, { [name]: 'v' }), name).toBe('<v>');
  });

  it('takes what is not text as JSON', () => {
    const value = (x: unknown) => filled('{{x}}', { x });
    expect([0, -0, 1.5, true, false, null].map(value)).toEqual(['0', '0', '1.5', 'true', 'false', 'null']);
    expect(value([1, 'a', { b: undefined }])).toBe('[1,"a",{}]');
    expect(value({ k: { '"': 1 } })).toBe('{"k":{"\\"":1}}');
    expect(value(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(value('')).toBe('');
  });

  it('takes values as they are: nothing in them is a marker, an escape or a pattern', () => {
    expect(filled('{{a}} {{b}}', { a: '{{b}}', b: '<b> & "$&" $1 $$' })).toBe('{{b}} <b> & "$&" $1 $$');
    expect(filled('{{{a}}}', { a: '{' })).toBe('{{}');
    expect(filled('{{a}}{{b}}', { a: '{{', b: 'c}}', c: 'no' })).toBe('{{c}}');
  });

  it('leaves what stands between delimiters and is no path of names', () => {
    const texts = [
      '{{}}',
      '{{ }}',
      '{{"a": 1}}',
      '{{#if x}}',
      '{{> x}}',
      '{{a.}}',
      '{{.a}}',
      '{{a..b}}',
      '{{a b}}',
      '{{a|b}}',
    ];
    for (const text of [...texts, '{{a[0]}}', '{{', '}}', '}}a{{', '{{a', '{{a}', '{ {a}}', '{{{{'])
      expect(filled(text, { a: 'no', x: 'no' }), text).toBe(text);
  });

  it('finds the innermost markers among braces', () => {
    expect(filled('{"a": {{a}}, "b": {"c": {{a}}}}', { a: 1 })).toBe('{"a": 1, "b": {"c": 1}}');
    expect(filled('{{ {{a}} }}', { a: 1 })).toBe('{{ 1 }}');
    expect(filled('{{#if x}}{{a}}{{/if}}', { a: 1 })).toBe('{{#if x}}1{{/if}}');
  });

  it('has no other fields than what JSON shows', () => {
    class User {
      name = 'Ola';
      get secret() {
        return 's';
      }
    }
    const parameters = { list: ['a'], text: 'abc', user: new User(), own: JSON.parse('{ "__proto__": 1 }') as object };
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'list.length',
      'list.at',
      'list.-1',
      'list.00',
      'text.length',
      'text.0',
      'user.secret',
      'user.constructor.name',
      'list.__proto__.length',
    ];
    for (const name of names) {
      expect(keeping(`{{${name}}}`, parameters), name).toBe(`{{${name}}}`);
      expect(() => filled(`{{${name}}}`, parameters), name).toThrow('there is no value');
    }
    expect(filled('{{user.name}} {{own.__proto__}}', parameters)).toBe('Ola 1');
    expect(filled('{{a}}', Object.assign(Object.create(null) as object, { a: 'b' }))).toBe('b');
  });
});

describe('a variable without a value', () => {
  it('is an error that names it, its place and the names that there are', () => {
    const error = failureOf(() => filled('Hi {{nam}}', { name: 'Ola', n: 1 }));
    expect(error).toMatchObject({ code: 'missing_variable', path: 'messages[0].content', value: 'nam' });
    expect(String(error)).toBe(
      'MessageStoreError: messages[0].content: there is no value for the variable "nam"; the parameters have "name", "n". ' +
        "Give it a value, or leave the marker as it is by templateRenderer({ missing: 'keep' }).",
    );
  });

  it.each([
    ['user.nam', { user: { name: 'Ola', age: 3 } }, '; "user" has "name", "age".'],
    ['user.name.first', { user: { name: 'Ola' } }, '; "user.name" is "Ola".'],
    ['user.name', { user: null }, '; "user" is null.'],
    ['user.name', {}, '; the parameters have no other names.'],
    ['name', { name: undefined }, '; the parameters have no other names.'],
    ['user_name', { a: 1, userName: 1 }, '; the parameters have "a", "userName" (did you mean "userName"?).'],
    ['list.1', { list: ['a'] }, '; "list" has "0".'],
    ['x', Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`n${at}`, 1])), '"n8", "n9" and 2 more.'],
  ])('says where the path %s ends', (name, parameters, sentence) => {
    expect(() => filled(`{{${name}}}`, parameters)).toThrow(sentence);
  });

  it('stays as it is where that is asked for, and the rest is filled', () => {
    expect(keeping('{{ a }}{{b}}{{ c.d }}', { b: 1, a: undefined })).toBe('{{ a }}1{{ c.d }}');
    const messages = Messages.from(['{{a}}', '{{b}}']);
    expect(templateRenderer({ missing: 'keep' }).renderMessages(messages, {})).toBe(messages);
  });
});

describe('a value that cannot be written', () => {
  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['1n', 1n],
    ['NaN', Number.NaN],
    ['an object of class Map', new Map()],
  ])('%s is an error that names the variable', (shown, value) => {
    for (const missing of ['throw', 'keep'] as const) {
      const error = failureOf(() => filled('{{a.b}}', { a: { b: value } }, { missing }));
      expect(error).toMatchObject({ code: 'invalid_input', path: 'parameters.a.b' });
      expect(String(error)).toContain(shown);
    }
  });

  it('is found where it is inside another', () => {
    const round: Record<string, unknown> = {};
    round['self'] = round;
    expect(() => filled('{{a}}', { a: { list: [1n] } })).toThrow('parameters.a.list[0]: expected a JSON value, got 1n');
    expect(() => filled('{{a}}', { a: round })).toThrow('parameters.a.self: expected a value without cycles');
    expect(() => filled('{{a}}', { a: '\ud83d' })).toThrow('parameters.a: expected well-formed');
  });

  it('throws as an error of the library where reading it throws', () => {
    const hostile = {
      get a(): never {
        throw new Error('no');
      },
    };
    expect(failureOf(() => filled('{{x.a}}', { x: hostile }))).toMatchObject({
      code: 'invalid_input',
      path: 'parameters.x.a',
    });
  });
});

describe('the delimiters', () => {
  it('are those that are asked for', () => {
    expect(filled('<|a|> {{a}} <| a |>', { a: 1 }, within('<|', '|>'))).toBe('1 {{a}} 1');
    expect(filled('${a}, $a, {a}', { a: 1 }, within('${', '}'))).toBe('1, $a, {a}');
    expect(filled('[a]', { a: 1 }, within('[', ']'))).toBe('1');
    expect(filled('.*a.*b', { a: 1 }, within('.*', '.*'))).toBe('1b');
  });

  it('may be the same at both ends', () => {
    expect(filled('%a%%b% %a%', { a: 1, b: 2 }, within('%', '%'))).toBe('12 1');
    expect(filled('90 % & more %a%', { a: 1 }, within('%', '%'))).toBe('90 % & more 1');
    expect(filled('5% of %a%', { a: 1 }, { ...within('%', '%'), missing: 'keep' })).toBe('5% of 1');
    expect(filled('$$a$$', { a: 1 }, within('$$', '$$'))).toBe('1');
  });

  it('are two texts that are not empty', () => {
    const refused = (delimiters: unknown) => () => templateRenderer({ delimiters: delimiters as never });
    expect(refused(['', '}'])).toThrow('delimiters[0]: expected text that is not empty, got ""');
    expect(refused(['{', 1])).toThrow('delimiters[1]: expected text that is not empty, got 1');
    expect(refused(['{', '\ud83d'])).toThrow('delimiters[1]');
    expect(refused(['{'])).toThrow('delimiters: expected a list of two texts');
    expect(refused('{}')).toThrow('delimiters: expected a list of two texts');
  });
});

describe('a renderer', () => {
  it('is the same for the same asking', () => {
    expect(templateRenderer()).toBe(templateRenderer({}));
    expect(templateRenderer()).toBe(templateRenderer({ missing: undefined, delimiters: undefined }));
    expect(Object.isFrozen(templateRenderer())).toBe(true);
  });

  it('refuses other options and parameters', () => {
    expect(() => templateRenderer({ missing: 'drop' as never })).toThrow('missing: expected');
    expect(() => filled('a', null as never)).toThrow('parameters: expected an object, got null');
    expect(() => filled('a', [] as never)).toThrow('parameters: expected an object');
  });

  it('takes time in proportion to the text', () => {
    const long = 100_000;
    const started = performance.now();
    for (const text of ['{{', '{{a', '{{ ', '{{ }}', '{', '{{{{}}', '{{a}}']) keeping(text.repeat(long) + '}}', {});
    filled('%'.repeat(long), {}, within('%', '%'));
    filled(`{{${'a.'.repeat(long)}}}`, {});
    filled(`{{a${' '.repeat(long)}b}}`, {});
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
