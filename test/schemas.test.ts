import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { schemaFiles } from './support/schemas.ts';

const folder = new URL('../docs/schema/', import.meta.url);

it('docs/schema is what the zod schemas say now (npm run schemas writes it)', () => {
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
  expect(written).toEqual(schemaFiles());
});
