// What an application pays for each entry point, bundled and gzipped; the core's 30 KiB are 30.72 kB here. The core counts whole, with immer, zod and
// uuid; a format counts what it adds to a bundle that has the core. An entry that only Node loads has no budget.
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

const { exports: entries } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const budgets = { '.': '30.72 kB', './schema': '20 KB', './testing': '40 KB' };
const formatBudget = '8 KB';

/** esbuild leaves out every file of ours that lies outside the formats. */
const withoutCore = (config) => ({
  ...config,
  plugins: [
    ...(config.plugins ?? []),
    {
      name: 'without-core',
      setup(build) {
        build.onResolve({ filter: /^\.\.?\// }, async ({ path, pluginData, ...rest }) => {
          if (pluginData === 'resolved') return undefined;
          const found = await build.resolve(path, { ...rest, pluginData: 'resolved' });
          return found.path.includes(`${sep}dist${sep}formats${sep}`) || rest.kind === 'entry-point'
            ? found
            : { path, external: true };
        });
      },
    },
  ],
});

export default Object.entries(entries)
  .filter(([, target]) => target.default)
  .map(([entry, { default: path }]) => ({
    name: entry,
    path,
    import: entry === '.' ? '{ MessageStore }' : '*',
    gzip: true,
    limit: entry.startsWith('./formats/') ? formatBudget : budgets[entry],
    ...(entry.startsWith('./formats/') && { modifyEsbuildConfig: withoutCore }),
  }));
