/** Writes docs/schema from the zod schemas: `npm run schemas`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { schemaFiles } from './schemas.ts';

const folder = new URL('../../docs/schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of schemaFiles()) writeFileSync(new URL(name, folder), text);
