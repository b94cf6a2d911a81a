import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { folder, MAIN } from './run.ts';

const line = (at: number) =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: `${at} ${'x'.repeat(1000)}` },
      { role: 'assistant', content: 'Yes.' },
    ],
  })}\n`;

/** Preloaded: tells at the end the most that was alive at a time, in bytes. */
const METER = `data:text/javascript,${encodeURIComponent(`
  let most = 0;
  const measure = () => { gc(); most = Math.max(most, process.memoryUsage().heapUsed); };
  setInterval(measure, 200).unref();
  process.on('exit', () => { measure(); process.stderr.write(String(most)); });
`)}`;

/** The most memory that was alive while so many lines were converted. */
const mostAlive = async (count: number): Promise<number> => {
  const path = join(folder, `${count}.jsonl`);
  const out = createWriteStream(path);
  for (let at = 0; at < count; at++) out.write(line(at));
  out.end();
  await finished(out);
  const args = ['--expose-gc', '--import', METER, MAIN, 'convert', path, '--to', 'gemini', '--out', `${path}.out`];
  const child = spawn(process.execPath, args, { timeout: 50_000 });
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  expect(await once(child, 'close')).toEqual([0, null]);
  return Number(told);
};

describe('convert of a long list', () => {
  it('takes no more memory than of a short one', async () => {
    const [few, many] = [await mostAlive(1000), await mostAlive(20_000)];
    expect(few).toBeGreaterThan(1e6);
    expect(many / few).toBeLessThan(1.5);
  });

  it('prints the first conversation before it has read the last', async () => {
    const child = spawn(process.execPath, [MAIN, 'convert', '-', '--to', 'gemini']);
    child.stdin.write(line(1) + line(2));
    const [text] = await once(child.stdout, 'data');
    expect(JSON.parse(String(text).split('\n')[0]!)).toHaveProperty('contents');
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
