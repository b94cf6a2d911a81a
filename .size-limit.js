// What an application pays for each entry point, bundled and gzipped; the core's 30 KiB are 30.72 kB here, a format's 8 KiB 8.192 kB, 11 KiB with streams and tools 11.264 kB. The core counts whole, with immer, zod and
// uuid; a format counts what it adds to a bundle that has the core. An entry that only Node loads has no budget.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { exports: entries } = JSON.parse(read('package.json'));
const budgets = {
  '.': '30.72 kB',
  './schema': '20 KB',
  './storage': '8 kB',
  './testing': '72.5 KB',
  './render/liquid': '4 kB',
  './counters/gpt-tokenizer': '4 kB',
};
const formatBudget = '8.192 kB';
const wholeFormatBudget = '11.264 kB';
/** Formats that are over their budget, and may not grow: without streams and tools, and with all. */
const overBudget = {
  anthropic: ['9.2 kB', wholeFormatBudget],
  bedrock: ['10.1 kB', '11.95 kB'],
  gemini: ['8.8 kB', wholeFormatBudget],
  openaiResponses: ['8.55 kB', wholeFormatBudget],
};

/** The files that whoever imports the core has loaded already. */
const coreFiles = new Set(Array.from(read('dist/index.js').matchAll(/"\.\/shared\/([^"]+)"/g), ([, file]) => file));

/** esbuild leaves out the files of the core; however many they are, what is imported of them has one path, since in a bundle it has none. */
const withoutCore = (config) => ({
  ...config,
  plugins: [
    ...(config.plugins ?? []),
    {
      name: 'without-core',
      setup(build) {
        build.onResolve({ filter: /^\.\.?\// }, ({ path }) =>
          coreFiles.has(basename(path)) ? { path: './core.js', external: true, sideEffects: false } : undefined,
        );
      },
    },
  ],
});

/** A format counts without what is to be imported beside it, streams and tools, and once with all of it. */
function budgetsOf(entry, path) {
  const name = nameOf(entry);
  const of = (imported, limit, more) => ({
    name: `${entry} ${imported}`,
    path,
    import: imported,
    gzip: true,
    limit,
    ...more,
  });
  const more = { modifyEsbuildConfig: withoutCore };
  if (/^\.\/(?:render|counters)\//.test(entry)) return [of('*', budgets[entry], more)];
  if (name === undefined) return [of(entry === '.' ? '{ MessageStore }' : '*', budgets[entry])];
  const [own, whole] = overBudget[name] ?? [formatBudget, wholeFormatBudget];
  return [of(`{ ${name} }`, own, more), of('*', whole, more)];
}

/** What a format is exported as: `openaiChat` of `./formats/openai-chat`. */
function nameOf(entry) {
  const folder = entry.startsWith('./formats/') ? basename(entry) : undefined;
  return folder?.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

export default Object.entries(entries)
  .filter(([, target]) => target.default)
  .flatMap(([entry, { default: path }]) => budgetsOf(entry, path));
