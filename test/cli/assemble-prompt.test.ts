import { describe, expect, it } from 'vitest';
import { file, json, jsonLines, run } from './run.ts';

const prompt = file(
  'budget.prompt.yaml',
  `parameters: { shop: Lumen }
policies:
  examples: { pin: true }
sections:
  system: You work for {{shop}}, {{who}}.
  examples:
    - user: Oslo?
    - assistant: Cold.
  history:
    - user: What was the first thing that I asked you for today?
    - assistant: A lamp.
    - user: I am {{who}}.
    - assistant: Hello!
  prompt: Now?
`,
);
const values = file('values.yaml', 'who: Ada\n');
const texts = (messages: any[]): string[] => messages.map(({ content }) => content);

describe('assemble', () => {
  it('fills instructions with the parameters, and leaves what is none of them', () => {
    expect(texts(json(['assemble', prompt]))[0]).toBe('You work for Lumen, {{who}}.');
    expect(texts(json(['assemble', prompt, '--param', 'who=Eve']))[0]).toBe('You work for Lumen, Eve.');
  });

  it('fills them with a file of values, YAML or JSON, and nothing that users said', () => {
    const filled = texts(json(['assemble', prompt, '--values', values]));
    expect([filled[0], filled[5]]).toEqual(['You work for Lumen, Ada.', 'I am {{who}}.']);
    const asJSON = file('values.json', '{"who":"Bo","shop":"Loom"}');
    expect(texts(json(['assemble', prompt, '--values', asJSON]))[0]).toBe('You work for Loom, Bo.');
    expect(json(['assemble', prompt, '--values', values, '--to', 'store']).sections[0].messages[0].content).toBe(
      'You work for Lumen, Ada.',
    );
  });

  it('says which value is missing in the file, and where', () => {
    const { status, stdout, stderr } = run(['assemble', prompt, '--values', file('none.yaml', '{}')]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `${prompt}: sections.system.messages[0].content: there is no value for the variable "who"; the parameters have "shop". Give it a value, or leave the marker as it is by templateRenderer({ missing: 'keep' }).\n`,
    );
  });

  it.each([
    ['[1]', 'expected names and their values, as YAML or JSON'],
    ['', 'expected names and their values, as YAML or JSON'],
  ])('refuses values that are %j', (content, message) => {
    const wrong = file('wrong.yaml', content);
    const { status, stderr } = run(['assemble', prompt, '--values', wrong]);
    expect([status, stderr]).toEqual([1, `${wrong}: ${message}\n`]);
  });

  it('tells what it leaves unfilled', () => {
    const said = 'the variable "who" has no value and stays as it is: give it with --param or --values';
    expect(run(['assemble', prompt]).stderr).toBe(`sections.system.messages[0].content: ${said}\n`);
    expect(run(['assemble', prompt, '--param', 'who=Ada']).stderr).toBe('');
  });

  const limited = file(
    'limited.yaml',
    `policies: { system: { cache: 1h }, history: { budget: 12 } }
sections: { system: Be brief., history: [one two three, four five six, seven eight nine] }
`,
  );

  it('does as the policies in the file say, explained or not', () => {
    const fitted = ['Be brief.', 'seven eight nine'];
    expect(texts(json(['assemble', limited]))).toEqual(fitted);
    expect(texts(json(['assemble', limited, '--explain']))).toEqual(fitted);
    const { system } = json(['assemble', limited, '--to', 'anthropic']);
    expect(system[0].cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    const { stdout } = run(['assemble', limited, '--to', 'anthropic', '--explain']);
    expect(JSON.parse(stdout).system).toEqual(system);
  });

  it('prints all of a store all the same, unless a budget is asked for', () => {
    const sizes = (...args: string[]) =>
      json(['assemble', limited, '--to', 'store', ...args]).sections.map(({ messages }: any) => messages.length);
    expect([sizes(), sizes('--explain'), sizes('--budget', '1000')]).toEqual([
      [1, 3],
      [1, 3],
      [1, 1],
    ]);
  });

  it('repairs no more because it explains', () => {
    const broken = file('odd.json', '[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"}]');
    expect(json(['assemble', broken, '--explain'])).toHaveLength(2);
  });

  it('leaves out whole exchanges until the budget holds', () => {
    const fitted = json(['assemble', prompt, '--budget', '54']);
    expect(texts(fitted)).toEqual([
      'You work for Lumen, {{who}}.',
      'Oslo?',
      'Cold.',
      'I am {{who}}.',
      'Hello!',
      'Now?',
    ]);
    const reserved = json(['assemble', prompt, '--budget', '54', '--reserve', '8']);
    expect(texts(reserved)).toEqual(['You work for Lumen, {{who}}.', 'Oslo?', 'Cold.', 'Hello!', 'Now?']);
    expect(json(['assemble', prompt, '--budget', '54', '--to', 'store']).sections.map((one: any) => one.name)).toEqual([
      'system',
      'examples',
      'history',
      'prompt',
    ]);
  });

  it('keeps the parameters of a store that is cut', () => {
    expect(json(['assemble', prompt, '--budget', '54', '--to', 'store']).parameters).toEqual({ shop: 'Lumen' });
  });

  it('says the smallest budget that works', () => {
    const { status, stdout, stderr } = run(['assemble', prompt, '--budget', '10']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+budget\.prompt\.yaml: the budget of 10 tokens is too small: .* takes \d+ \(.*\)\. /);
  });

  it('counts as it is told', () => {
    const used = (...args: string[]) =>
      run(['assemble', prompt, '--explain', ...args]).stderr.match(/(\d+) tokens/)?.[1];
    expect(Number(used())).toBeGreaterThan(40);
    expect(Number(used('--counter', 'gpt-tokenizer'))).toBeGreaterThan(40);
    const { status, stderr } = run(['assemble', prompt, '--counter', 'abacus']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Allowed choices are estimate, gpt-tokenizer')]);
  });

  it('ends the prompt cache behind sections', () => {
    const { stdout, stderr } = run([
      'assemble',
      prompt,
      '--values',
      values,
      '--to',
      'anthropic',
      '--cache',
      'system=1h,examples,nope',
    ]);
    const { system, messages } = JSON.parse(stdout);
    expect(system[0].cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    expect(messages[1].content[0].cache_control).toEqual({ type: 'ephemeral' });
    expect(stderr).toBe('--cache: there is no section "nope"\n');
  });

  it('folds neighbours within what is cached', () => {
    const marked = json(['assemble', prompt, '--to', 'openai-chat', '--merged-per-role', '--cache', 'system']);
    expect(marked.messages[0].content[0].prompt_cache_breakpoint).toEqual({ mode: 'explicit' });
    const stored = file(
      'cached.prompt.yaml',
      'policies:\n  system: { cache: true }\nsections:\n  system: S\n  chat:\n    - user: a\n    - user: b\n',
    );
    const { messages } = json(['assemble', stored, '--to', 'openai-chat', '--merged-per-role', '--budget', '99']);
    expect(messages[0].content[0].prompt_cache_breakpoint).toEqual({ mode: 'explicit' });
    expect(messages[1].content.map(({ text }: any) => text)).toEqual(['a', 'b']);
  });

  it('folds what is left, over sections too, but not over a mark', () => {
    const stored = file(
      'folded.prompt.yaml',
      'policies:\n  rules: { cache: true, budget: 40 }\nsections:\n  rules: [{ user: a }, { user: b }]\n  old: [{ user: c }, { user: d }]\n  new: [{ user: e }]\n',
    );
    const { messages } = json(['assemble', stored, '--to', 'openai-chat', '--merged-per-role', '--budget', '99']);
    expect(messages.map(({ content }: any) => content.map(({ text }: any) => text))).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('explains what became of each section, beside the result', () => {
    const { status, stdout, stderr } = run([
      'assemble',
      prompt,
      '--values',
      values,
      '--budget',
      '51',
      '--cache',
      'system=5m',
      '--explain',
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(6);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^history: the user message "What was the first thing that I asked yo…" \(\d+ tokens\) is left out: /,
      ),
      expect.stringMatching(/^history: the assistant message "A lamp\." \(\d+ tokens\) is left out: /),
    ]);
    expect(lines[2]).toBe('section   messages  tokens  left out  tokens left out  pinned  cached');
    expect(lines.slice(4).map((line) => line.split(/\s+/))).toEqual([
      ['system', '1', expect.any(String), '0', '0', '5m'],
      ['examples', '2', expect.any(String), '0', '0', 'yes'],
      ['history', '2', expect.any(String), '2', expect.any(String)],
      ['prompt', '1', expect.any(String), '0', '0'],
      ['total', '6', expect.any(String), '2', expect.any(String)],
      [expect.any(String), 'tokens', 'of', '51'],
    ]);
  });

  it('does so for each conversation of a list', () => {
    const chats = file(
      'two.jsonl',
      '[{"role":"user","content":"a"},{"role":"user","content":"b"}]\n[{"role":"user","content":"c"}]\n',
    );
    const { stdout, stderr } = run(['assemble', chats, '--budget', '9', '--explain']);
    expect(jsonLines(stdout).map(texts)).toEqual([['b'], ['c']]);
    expect(stderr).toMatch(/^\S+two\.jsonl:1: messages: the user message "a" \(\d+ tokens\) is left out: /);
  });

  it('tells what it repairs', () => {
    const broken = file(
      'broken.json',
      '[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"}]',
    );
    const { stdout, stderr } = run(['assemble', broken, '--budget', '100']);
    expect(texts(JSON.parse(stdout))).toEqual(['a']);
    expect(stderr).toBe('sections.messages.messages[1]: there is no call "x" that this could answer\n');
    const named = file(
      'named.json',
      '{"sections":[{"name":"a b","messages":[{"role":"tool","tool_call_id":"x","content":"b"}]}]}',
    );
    expect(run(['assemble', named, '--budget', '100']).stderr).toContain('sections["a b"].messages[0]: ');
  });

  it('refuses a lifetime that there is not', () => {
    const { status, stderr } = run(['assemble', prompt, '--cache', 'system=2h']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Expected 5m, 30m, 1h or 12h behind system=.')]);
  });

  it.each(['--budget', '--reserve'])('refuses %s without a number', (option) => {
    const { status, stderr } = run(['assemble', prompt, option, 'many']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('Expected a number of tokens.')]);
  });

  it('reads standard input once', () => {
    expect(run(['assemble', '-', '--values', '-']).stderr).toContain('standard input can be read only once');
  });
});
