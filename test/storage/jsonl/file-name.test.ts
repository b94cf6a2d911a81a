import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { jsonlStorage } from '../../../src/storage/jsonl/index.ts';
import { fileName } from '../../../src/storage/jsonl/file-name.ts';
import { folder, node } from '../../support/jsonl.ts';

const anyId = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
  fc.constantFrom('..', '.', '~', '~~', '~r', '~rcon', 'con', 'CON', 'a/b', 'a\\b', 'á', 'a\u0301', 'a ', 'a', 'A'),
);

describe('the name of a file', () => {
  property.prop([fc.uniqueArray(anyId, { minLength: 2, maxLength: 50 })], { numRuns: 500 })(
    'is another one for each id, whatever the file system makes of upper and lower case',
    (ids) => {
      const names = ids.map((id) => fileName(id).normalize('NFC').toLowerCase());
      expect(new Set(names).size).toBe(ids.length);
    },
  );

  property.prop([anyId])('stays in the folder, is not too long, and is no device', (id) => {
    const name = fileName(id);
    expect(name).toMatch(/^[a-z0-9_~-]{1,180}$/);
    expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
  });

  it('tells long ids apart that begin alike', () => {
    const long = 'x'.repeat(254);
    expect(fileName(`${long}a`)).not.toBe(fileName(`${long}b`));
  });

  // B81: a session id from a request is joined into a file path.
  it.each(['../../etc/passwd', '/abs/path', 'a/b', '..', 'con', 'ok-1_2', '../x', 'CON', 'nul.txt', "'; --"])(
    'is harmless for %j, which is an id like any other',
    async (id) => {
      const outer = folder();
      const inner = join(outer, 'data', 'sessions');
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(outer, 'x'), 'untouched');
      const storage = jsonlStorage(inner, { sync: 'none' });
      await storage.create(id);
      await storage.commit(id, { id: 'c', ops: [node('a')] });
      expect((await storage.list()).items.map((head) => head.id)).toEqual([id]);
      expect(readdirSync(inner)).toHaveLength(1);
      expect(await storage.delete(id)).toBe(true);
      expect(readdirSync(inner)).toEqual([]);
      expect([readdirSync(outer).toSorted(), readdirSync(join(outer, 'data'))]).toEqual([['data', 'x'], ['sessions']]);
    },
  );

  it.each(['a\0b', '', 'x'.repeat(256), '\ud800'])('is not asked for %j, which is no id', async (id) => {
    const path = join(folder(), 'never-made');
    const storage = jsonlStorage(path);
    const calls = [storage.create(id), storage.head(id), storage.path(id), storage.delete(id)];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'INVALID_ID' });
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });
});
