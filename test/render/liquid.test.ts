import { Liquid } from 'liquidjs';
import { Message, Messages } from 'message-store';
import { type LiquidEngine, type LiquidRendererOptions, liquidRenderer } from 'message-store/render/liquid';
import { describe, expect, it, vi } from 'vitest';

type Parameters = Readonly<Record<string, unknown>>;

const filled = async (text: string, parameters: Parameters = {}, options?: LiquidRendererOptions) =>
  (await liquidRenderer(options)).renderMessages(Messages.from(text), parameters).at(0)?.toString();
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );

describe('a Liquid template', () => {
  it('has values, conditions, loops and filters', async () => {
    expect(await filled('{{ user.name }}, {{items[1]}}', { user: { name: 'Ola' }, items: ['a', 'b'] })).toBe('Ola, b');
    expect(await filled('{% for x in xs %}{{ x | upcase }};{% endfor %}', { xs: ['a', 'b'] })).toBe('A;B;');
    expect(await filled('{% if a > 1 %}many{% else %}one{% endif %}', { a: 2 })).toBe('many');
  });

  it('writes values as they are, and never reads them as templates', async () => {
    expect(await filled('{{ a }}', { a: '<b> & "{{ secret }}" {% if %}', secret: 's' })).toBe(
      '<b> & "{{ secret }}" {% if %}',
    );
    expect(await filled('{% assign b = a %}{{ b | append: "!" }}', { a: '{{ a }}' })).toBe('{{ a }}!');
  });

  it('writes lists and objects as JSON', async () => {
    class Point {
      x = 1;
    }
    const values = {
      o: { k: [1] },
      l: [1, 'a', { b: 2 }],
      p: new Point(),
      n: null,
      bare: Object.create(null) as object,
    };
    expect(await filled('{{ o }}{{ l }}{{ p }}{{ n }}{{ bare }}', values)).toBe('{"k":[1]}[1,"a",{"b":2}]{"x":1}{}');
    expect(
      await filled('{{ l | join: ", " }}{{ nil }}{{ empty }}{{ u }}', { l: [1, 2], u: new URL('https://a.test/') }),
    ).toBe('1, 2https://a.test/');
  });

  it('sees own fields only', async () => {
    for (const name of ['constructor', 'toString', '__proto__', 'a.constructor', 'a.__proto__', 'f.prototype'])
      expect(await failureOf(filled(`{{ ${name} }}`, { a: {}, f: {} })), name).toMatchObject({
        code: 'missing_variable',
      });
  });

  it('leaves the parameters as they are', async () => {
    const parameters = Object.freeze({ n: 1 });
    expect(await filled('{% increment n %}{% increment n %}{% assign n = 5 %}{{ n }}', parameters)).toBe('125');
    expect(parameters).toEqual({ n: 1 });
  });

  it('loads no other templates', async () => {
    for (const tag of ['include', 'render', 'layout'])
      for (const text of [
        `{% ${tag} "package.json" %}`,
        `{% if false %}{% ${tag} "a" %}{% endif %}`,
        `{% liquid\n ${tag} "a" %}`,
      ])
        expect(await failureOf(filled(text)), text).toMatchObject({
          code: 'invalid_template',
          message: expect.stringContaining(`the tag "${tag}" is not there`) as string,
        });
  });

  it('changes texts only, and what has no template stays the same', async () => {
    const renderer = await liquidRenderer();
    const plain = Messages.from(['a { b } %', Message.toolResult('c1', 'x')]);
    expect(renderer.renderMessages(plain, {})).toBe(plain);
    const message = Message.from({ role: 'tool', tool_call_id: 'c1', content: '{{ a }}', id: 'm1', parentId: 'm0' });
    const rendered = renderer.renderMessages(Messages.of(message), { a: 1 }).at(0);
    expect(rendered?.toJSON()).toEqual(message.withContent('1').toJSON());
    expect(rendered?.toolResult?.toString()).toBe('1');
  });
});

describe('a variable without a value', () => {
  it('is an error that names it, its line and the names that there are', async () => {
    const error = await failureOf(filled('Hi\n  {{ user.nam }}', { user: { name: 'Ola' } }));
    expect(error).toMatchObject({ code: 'missing_variable', path: 'messages[0].content', value: 'user.nam' });
    expect((error as Error).cause).toMatchObject({ name: 'UndefinedVariableError' });
    expect(String(error)).toContain(
      'messages[0].content: line 2 ("{{ user.nam }}"): there is no value for the variable "user.nam"; "user" has "name".',
    );
    expect(await failureOf(filled('{% for x in xs %}{{ x.b }}{% endfor %}', { xs: [{ a: 1 }] }))).toMatchObject({
      message: expect.stringContaining('"x.b"; the parameters have "xs".') as string,
    });
  });

  it('may be asked for, and may have a default', async () => {
    expect(await filled('{% if a %}no{% endif %}{{ a | default: "b" }}')).toBe('b');
  });

  it('is written as nothing where that is asked for', async () => {
    expect(await filled('<{{ a }}{{ b.c }}{% for x in xs %}{% endfor %}>', {}, { missing: 'empty' })).toBe('<>');
  });
});

describe('text that is no template', () => {
  it.each([
    ['a\n\n {{ x', 'line 3 ("{{ x"): output "{{ x" not closed'],
    ['{% if %}', 'line 1 ("{% if %}"): '],
    ['a\n{% nope %}', 'line 2 ("{% nope %}"): tag "nope" not found'],
    ['{{ 1 | nope }}', 'undefined filter: nope'],
    ['{{ a | json }}', 'BigInt'],
  ])('%s is an error that says where', async (text, sentence) => {
    const error = await failureOf(filled(text, { a: 1n }));
    expect(error).toMatchObject({ code: 'invalid_template', path: 'messages[0].content' });
    expect(String(error)).toContain(`messages[0].content: line `);
    expect(String(error)).toContain(sentence);
  });
});

describe('the renderer', () => {
  it('takes an engine with filters of its own, and is strict with it too', async () => {
    const engine = new Liquid();
    engine.registerFilter('shout', (text: string) => `${text.toUpperCase()}!`);
    expect(await filled('{{ a | shout }}', { a: 'hi' }, { engine })).toBe('HI!');
    expect(await failureOf(filled('{{ b }}', { a: 'hi' }, { engine }))).toMatchObject({ code: 'missing_variable' });
  });

  it('refuses an engine that gives no text, and other options and parameters', async () => {
    const engine: LiquidEngine = { parseAndRenderSync: () => 1 };
    await expect(filled('a', {}, { engine })).rejects.toThrow(
      'messages[0].content: expected an engine that gives text, got 1',
    );
    await expect(filled('a', {}, { missing: 'keep' as never })).rejects.toThrow('missing: expected');
    await expect(filled('a', null as never)).rejects.toThrow('parameters: expected an object, got null');
  });

  it('tells of what an engine throws', async () => {
    const engine: LiquidEngine = {
      parseAndRenderSync: () => {
        throw new RangeError('oops');
      },
    };
    await expect(filled('a', {}, { engine })).rejects.toMatchObject({
      code: 'invalid_template',
      cause: new RangeError('oops'),
    });
  });

  it('tells which package is missing', async () => {
    vi.doMock('liquidjs', () => {
      throw new Error('Cannot find package');
    });
    await expect(liquidRenderer()).rejects.toMatchObject({
      code: 'missing_package',
      message: expect.stringContaining('npm install liquidjs') as string,
    });
    expect(await filled('a', {}, { engine: { parseAndRenderSync: () => 'b' } })).toBe('b');
    vi.doUnmock('liquidjs');
  });
});
