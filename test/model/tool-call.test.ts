import { MessageStoreError, ToolCall, ToolCalls } from 'message-store';
import { call } from 'message-store/testing';
import { describe, expect, it } from 'vitest';

const argsOf = (text: string) => ToolCall.of({ name: 'f', args: text });

describe('a tool call', () => {
  it('has a name, arguments and an id', () => {
    const weather = ToolCall.of({ name: 'weather', args: { city: 'Oslo', days: 3 }, id: 'call_1' });
    expect([weather.kind, weather.name, weather.args, weather.id]).toEqual([
      'function',
      'weather',
      { city: 'Oslo', days: 3 },
      'call_1',
    ]);
    expect([weather.argsText, weather.argsAsJson()]).toEqual(['{"city":"Oslo","days":3}', '{"city":"Oslo","days":3}']);
    expect(weather.toJSON()).toEqual({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo', days: 3 } });
    expect(String(weather)).toBe('weather(city=Oslo, days=3)');
    expect(String(ToolCall.of({ name: 'f', args: { list: [1], nothing: null } }))).toBe('f(list=[1], nothing=null)');
  });

  it('may have no id', () => {
    const lone = ToolCall.of({ name: 'f' });
    expect([lone.id, lone.idString()]).toEqual([undefined, '']);
    expect(lone.toJSON()).toEqual({ id: null, name: 'f', arguments: {} });
    expect(ToolCall.of({ name: 'f', id: '  ' }).id).toBeUndefined();
    expect(ToolCall.from({ name: 'f', id: 7 }).id).toBeUndefined();
  });

  it('stands in for itself when there is none', () => {
    expect(ToolCall.none()).toBe(ToolCall.none());
    expect([ToolCall.none().isNone(), call('f').isNone()]).toEqual([true, false]);
    expect(ToolCall.none().hasArgs()).toBe(false);
  });

  it('is read from our form, and from OpenAI’s', () => {
    for (const input of [
      { id: 'c1', name: 'f', arguments: { a: 1 } },
      { id: 'c1', name: 'f', args: { a: 1 } },
      { id: 'c1', name: 'f', arguments: '{"a":1}' },
      { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
    ]) {
      expect(ToolCall.from(input).toJSON()).toEqual({ id: 'c1', name: 'f', arguments: { a: 1 } });
    }
    const own = call('f');
    expect(ToolCall.from(own)).toBe(own);
  });

  it('keeps what it does not know, and where it comes from', () => {
    const input = { id: 'c1', name: 'f', arguments: {}, index: 0, _origin: { provider: 'gemini', data: 's' } };
    const read = ToolCall.from(input);
    expect([read.extra, read.origin]).toEqual([{ index: 0 }, { provider: 'gemini', data: 's' }]);
    expect(read.toJSON()).toEqual(input);
    expect(ToolCall.fromJSON({ id: null, name: 'f', arguments: {}, _origin: 'odd' }).toJSON()).toEqual({
      id: null,
      name: 'f',
      arguments: {},
      _origin: 'odd',
    });
  });

  it.each([
    [{ name: 5 }, 'name: expected a string, got 5'],
    [{ name: 'f', id: 'a\u0000' }, 'id: expected a tool call id: non-empty text without control characters'],
    [{ name: 'f', args: 7 }, 'arguments: expected an object or JSON text, got 7'],
    [{ name: 'f', args: { n: Number.NaN } }, 'arguments.n: expected a finite number, got NaN'],
    [{ name: 'f\ud83d' }, 'name: expected well-formed Unicode'],
    [{ name: 'f', origin: { model: 'm' } }, 'origin: expected an origin: an object with a provider, got an object'],
  ])('is refused with the place of what is wrong: %#', (fields, message) => {
    expect(() => ToolCall.of(fields as never)).toThrow(message);
  });

  it('is refused with the place of what is wrong in an object, too', () => {
    expect(() => ToolCall.from('f' as never, 'tool_calls[0]')).toThrow('tool_calls[0]: expected a tool call, got "f"');
    expect(() => ToolCall.from({ name: 5 }, 'tool_calls[0]')).toThrow('tool_calls[0].name: expected a string, got 5');
    expect(() => ToolCall.fromJSON({ id: null, arguments: {} })).toThrow('name: expected a string, got undefined');
  });

  it('has other fields, the rest as it was', () => {
    const first = ToolCall.from({ id: 'c1', name: 'f', arguments: { a: 1 }, index: 0, _origin: { provider: 'x' } });
    expect(first.withName('g').toJSON()).toEqual({
      id: 'c1',
      name: 'g',
      arguments: { a: 1 },
      index: 0,
      _origin: { provider: 'x' },
    });
    expect([first.withId('c2').id, first.withId('').id]).toEqual(['c2', undefined]);
    expect(first.withArgs('{"b": 2}').argsText).toBe('{"b": 2}');
    expect(first.withArgs({ b: 2 }).args).toEqual({ b: 2 });
    expect(first.with({ origin: undefined }).origin).toBeUndefined();
    expect(first.with({ kind: 'custom' }).kind).toBe('custom');
    expect(() => first.withName(5 as never)).toThrow('name: expected a string, got 5');
    expect(() => first.withName('\ud83d')).toThrow('name: expected well-formed Unicode');
  });

  it('is equal to one of the same fields, the text of the arguments included', () => {
    expect(argsOf('{"a":1}').equals(ToolCall.of({ name: 'f', args: { a: 1 } }))).toBe(true);
    expect(argsOf('{"a": 1}').equals(argsOf('{"a":1}'))).toBe(false);
    expect(call('f').equals(call('f', {}, 'other'))).toBe(false);
    expect(call('f').equals(call('f').with({ origin: { provider: 'x' } }))).toBe(false);
  });
});

describe('the arguments of a tool call', () => {
  it('are kept byte for byte', () => {
    for (const text of [
      '{"a": 1}',
      '{"n":12345678901234567890}',
      '{"a":1,"a":2}',
      '{"b":1,"1":2}',
      '[1]',
      'about forty two',
      '{"city":"Os',
    ]) {
      const kept = argsOf(text);
      expect([kept.argsText, kept.toJSON().arguments]).toEqual([text, text]);
      expect(ToolCall.fromJSON(JSON.parse(JSON.stringify(kept))).argsText).toBe(text);
    }
  });

  it('are written as the object where that prints the same text', () => {
    expect(argsOf('{"b":1,"a":[{}]}').toJSON().arguments).toEqual({ b: 1, a: [{}] });
    expect(JSON.stringify(argsOf('{"b":1,"a":2}'))).toBe('{"id":null,"name":"f","arguments":{"b":1,"a":2}}');
    expect(JSON.stringify(argsOf('{"__proto__":{"a":1}}').toJSON().arguments)).toBe('{"__proto__":{"a":1}}');
  });

  it('are {} when nothing is given, at every depth', () => {
    for (const empty of [undefined, null, '', ' \n', {}, []]) {
      expect(ToolCall.from({ name: 'f', arguments: empty }).argsText).toBe('{}');
    }
    expect(ToolCall.of({ name: 'f', args: { a: {}, b: [] } }).argsText).toBe('{"a":{},"b":[]}');
  });

  it.each(['about forty two', '{"city":"Os', '42', 'null', '[1,2]', '"{}"', '{"a":"\\x"}'])(
    'are malformed when their text is %s',
    (text) => {
      const malformed = ToolCall.of({ name: 'weather', args: text, id: 'c1' });
      expect(malformed.isMalformed()).toBe(true);
      expect(() => malformed.args).toThrow(
        `tool call weather (c1): arguments: expected a JSON object, got ${JSON.stringify(text)}`,
      );
      expect(String(malformed)).toBe(`weather(${text})`);
      expect(malformed.hasArgs()).toBe(true);
    },
  );

  it('name tool and text when they are malformed', () => {
    try {
      expect(argsOf('nope').args).toBe('refused');
    } catch (error) {
      expect(MessageStoreError.isInstance(error) && [error.code, error.path, error.value]).toEqual([
        'malformed_arguments',
        'arguments',
        'nope',
      ]);
      expect(String(error)).toBe('MessageStoreError: tool call f: arguments: expected a JSON object, got "nope"');
    }
  });

  it('may be a list that is given as one: text that is malformed', () => {
    expect(ToolCall.from({ name: 'f', arguments: [1, 2] }).argsText).toBe('[1,2]');
  });

  it('are malformed when no program could use their depth', () => {
    const deep = argsOf(`{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`);
    expect([deep.isMalformed(), deep.partialArgs()]).toEqual([true, {}]);
  });

  it.each([
    ['{"city":"Os', { city: 'Os' }],
    ['{"city":"Oslo","da', { city: 'Oslo' }],
    ['{"list":[1,2', { list: [1, 2] }],
    ['{"a":1}', { a: 1 }],
    ['[1', {}],
    ['nope', {}],
  ])('hold in part what %s holds so far', (text, args) => {
    const partial = argsOf(text).partialArgs();
    expect(partial).toEqual(args);
    expect(Object.isFrozen(partial)).toBe(true);
  });

  it('are asked for one by one', () => {
    const asked = call('f', { zero: 0, nothing: null, no: false });
    expect([asked.value('zero'), asked.value('nothing'), asked.value('missing'), asked.value('no', true)]).toEqual([
      0,
      undefined,
      undefined,
      false,
    ]);
    expect([asked.value('nothing', 7), asked.value('missing', 7), asked.value('constructor')]).toEqual([
      7,
      7,
      undefined,
    ]);
    expect([asked.hasValue('zero'), asked.hasValue('nothing'), asked.hasValue('toString')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([asked.hasArgs(), call('f').hasArgs(), argsOf('{ }').hasArgs()]).toEqual([true, false, false]);
  });

  it('are parsed once', () => {
    const once = argsOf('{"a":{"b":1}}');
    expect(once.args).toBe(once.args);
  });
});

describe('a custom tool call', () => {
  const sql = ToolCall.from({ id: 'c1', type: 'custom', custom: { name: 'run_sql', input: 'select 1' } });

  it('has free text for its input', () => {
    expect([sql.kind, sql.name, sql.argsText, sql.isMalformed(), sql.partialArgs()]).toEqual([
      'custom',
      'run_sql',
      'select 1',
      false,
      {},
    ]);
    expect(sql.toJSON()).toEqual({ id: 'c1', name: 'run_sql', arguments: 'select 1', kind: 'custom' });
    expect(String(sql)).toBe('run_sql(select 1)');
    expect(ToolCall.of({ name: 'run_sql', kind: 'custom', args: ' ' }).argsText).toBe(' ');
  });

  it('has no arguments, even if its text could be some', () => {
    for (const custom of [sql, sql.withArgs('{"a":1}'), sql.withArgs({ a: 1 })]) {
      expect(() => custom.args).toThrow(
        'tool call run_sql (c1): arguments: expected no JSON: the input of a custom tool is free text, read argsText',
      );
    }
    expect(sql.withArgs({ a: 1 }).equals(sql.withArgs('{"a":1}'))).toBe(true);
  });

  it('is read back', () => {
    expect(ToolCall.fromJSON(sql.toJSON()).equals(sql)).toBe(true);
    expect(ToolCall.fromJSON({ id: null, name: 'f', arguments: { a: 1 }, kind: 'custom' }).argsText).toBe('{"a":1}');
  });
});

describe('tool calls', () => {
  const calls = ToolCalls.of(call('f', { a: 1 }), call('g'));

  it('come in a list, alone, or as a map from tools to arguments', () => {
    expect(ToolCalls.from([call('f'), { name: 'g' }]).map(({ name }) => name)).toEqual(['f', 'g']);
    expect(ToolCalls.from(calls)).toBe(calls);
    expect([...ToolCalls.from(calls.first() as ToolCall)]).toEqual([calls.first()]);
    expect(ToolCalls.from({ id: 'c1', name: 'f', arguments: {} }).size).toBe(1);
    expect(ToolCalls.from({ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }).size).toBe(1);
    expect(ToolCalls.from({ f: { a: 1 }, g: '{}' }).map(String)).toEqual(['f(a=1)', 'g()']);
    expect(ToolCalls.fromMapper([1, 2, 3], (n) => (n === 2 ? null : call(`f${n}`))).map(({ name }) => name)).toEqual([
      'f1',
      'f3',
    ]);
    expect(ToolCalls.fromMapper([1], () => undefined)).toBe(ToolCalls.empty());
  });

  it('are refused with the place of what is wrong', () => {
    expect(() => ToolCalls.from('f' as never)).toThrow('tool_calls: expected a list of tool calls, got "f"');
    expect(() => ToolCalls.from([call('f'), 'g'] as never)).toThrow(
      'tool_calls[1]: expected a tool call with a name and arguments, got "g"',
    );
    expect(() => ToolCalls.fromJSON({})).toThrow('expected a list of tool calls, got an object');
  });

  it('are none, one or many', () => {
    const [none, one] = [ToolCalls.empty(), ToolCalls.of(call('f'))];
    const answers = (those: ToolCalls) => [those.hasNone(), those.hasAny(), those.hasSingle(), those.hasMany()];
    expect([answers(none), answers(one), answers(calls)]).toEqual([
      [true, false, false, false],
      [false, true, true, false],
      [false, true, false, true],
    ]);
  });

  it('are found by id', () => {
    expect(calls.getById('g')).toBe(calls.last());
    expect(calls.getById('h')).toBeUndefined();
  });

  it('are joined', () => {
    expect(calls.concat(ToolCalls.of(call('h'))).map(({ name }) => name)).toEqual(['f', 'g', 'h']);
    expect(calls.concat(ToolCalls.empty())).toBe(calls);
    expect(ToolCalls.empty().concat(calls)).toBe(calls);
  });

  it('grow by a call without an id', () => {
    expect(calls.withAddedToolCall('h', { b: 2 }).last()?.toJSON()).toEqual({
      id: null,
      name: 'h',
      arguments: { b: 2 },
    });
    expect(calls.withAddedToolCall('h').last()?.argsText).toBe('{}');
  });

  it('have other arguments for the last call, as a stream brings them', () => {
    expect(calls.withLastToolCallUpdated('ignored', '{"a":').last()?.toJSON()).toEqual({
      id: 'g',
      name: 'g',
      arguments: '{"a":',
    });
    expect(
      ToolCalls.of(ToolCall.of({ name: '', id: 'c1' }))
        .withLastToolCallUpdated('f', '{}')
        .last()?.name,
    ).toBe('f');
    expect(ToolCalls.empty().withLastToolCallUpdated('f', '{"a":1}').toJSON()).toEqual([
      { id: null, name: 'f', arguments: { a: 1 } },
    ]);
  });

  it('read as one reads them', () => {
    expect(String(calls)).toBe('f(a=1) | g()');
    expect(calls.filter(({ name }) => name === 'g').map(String)).toEqual(['g()']);
  });
});
