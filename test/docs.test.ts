import { describe, expect, it } from 'vitest';
import { commentExamples, type Host, pageExamples, runExample, typeErrorsOf } from './support/docs.ts';

const host: Host = {
  load: (specifier) => import(/* @vite-ignore */ specifier),
  equal: (actual, expected, source) => expect(actual, source).toEqual(expected),
  throws: async (run, message, source) => {
    const came: unknown = await run().then(
      () => 'no error',
      (error: unknown) => error,
    );
    expect(String(came), source).toContain(message);
  },
};

const run = (code: string) => runExample({ name: 'here', code, isRun: true }, host);
const pages = pageExamples();
const comments = commentExamples();

describe.each([
  { place: 'the pages', examples: pages },
  { place: 'the doc comments', examples: comments },
])('an example in $place', ({ examples }) => {
  it('is there', () => expect(examples).not.toEqual([]));

  it('compiles', () => expect(typeErrorsOf(examples)).toEqual([]));

  for (const example of examples)
    it.skipIf(!example.isRun)(`holds: ${example.name}`, async () => runExample(example, host));
});

describe('an example', () => {
  it('passes where its promises hold', async () => {
    await run("import { MessageStore } from 'message-store';\nMessageStore.empty().sections.size // => 0");
    await run(
      'const a = 1; // => 1\nconst b =\n  { a,\n    b: [2] };\nb // => { a: 1,\n  //  b: [2] }\n// a word\nb.a; // => 1',
    );
    await run(
      'const f = (x: number): never => { throw new Error(`no ${x}`); };\nf(1) // throws no 1\nf(2) // => throws no',
    );
    await run('Promise.resolve([1])\n// => [1]');
  });

  it('fails where a promise is broken, nothing is thrown, or a promise follows no statement', async () => {
    await expect(run('1 + 1 // => 3')).rejects.toThrow('1 + 1');
    await expect(run('1 + 1 // throws oh')).rejects.toThrow('1 + 1');
    await expect(run('if (true) {\n  1 // => 2\n}')).rejects.toThrow('1 of 1 promises');
    await expect(run('1 // => a b')).rejects.toThrow('not a value');
  });

  it('is compiled against the types, except where it promises an error', () => {
    const errorsOf = (code: string) => typeErrorsOf([{ name: 'here', code, isRun: true }]);
    const imports = "import { MessageStore } from 'message-store';\n";
    expect(errorsOf(`${imports}MessageStore.nothing()`)).toEqual([
      expect.stringMatching(/^here: .*nothing.* in MessageStore/),
    ]);
    expect(errorsOf(`${imports}MessageStore.nothing() // throws not a function`)).toEqual([]);
  });
});
