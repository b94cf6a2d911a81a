import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^message-store$/, replacement: src('index.ts') },
      { find: /^message-store\/(.+)$/, replacement: src('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    // One more than there are processors: tests of storages wait for disks, servers and processes of their own.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    typecheck: { enabled: true, include: ['test/types/*.test-d.ts'], tsconfig: 'tsconfig.json' },
    coverage: {
      provider: 'v8',
      include: ['src/errors.ts', 'src/{internal,schema,input,model,edit,turns,context}/**/*.ts'],
      reporter: [['text', { skipFull: true }], 'html'],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
