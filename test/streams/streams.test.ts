import { fc, test } from '@fast-check/vitest';
import { describe, expect, it, vi } from 'vitest';
import { readJsonLines, readServerSentEvents } from 'message-store/streams';

/** All that comes. */
async function all(events: AsyncIterable<object>): Promise<object[]> {
  const list: object[] = [];
  for await (const event of events) list.push(event);
  return list;
}

/** A body that comes in these chunks. */
async function* bodyOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

/** A text, cut after each so many bytes. */
function cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return bodyOf(
    ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size)),
  );
}

describe('server-sent events', () => {
  it('are whole where a character came in two chunks', async () => {
    const chunks = ['64617461 3a207b22 78223a22 f09f', '8c8d227d 0a0a'].map((hex) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex'),
    );
    expect(await all(readServerSentEvents(bodyOf(...chunks)))).toEqual([{ x: '🌍' }]);
  });

  it('may have names, comments, several lines of data and any line ends', async () => {
    const body = bodyOf(': hello\n\nevent: ping\ndata: {"a":\r\ndata: 1}\r\n\r\n', 'data:\n\nretry: 5\n\n');
    expect(await all(readServerSentEvents(body))).toEqual([{ a: 1 }]);
  });

  it('end with [DONE]', async () => {
    const body = bodyOf('data: {"a":1}\n\ndata: [DONE]\n\ndata: {"a":2}\n\n');
    expect(await all(readServerSentEvents(body))).toEqual([{ a: 1 }]);
  });

  it('come as soon as they are there', async () => {
    const events = readServerSentEvents(
      (async function* () {
        yield new TextEncoder().encode('data: {"a":1}\n\n');
        await new Promise(() => {});
      })(),
    );
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } });
  });

  it('that are no JSON objects are refused', async () => {
    await expect(all(readServerSentEvents(bodyOf('data: oops\n\n')))).rejects.toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('event: expected a JSON object, got "oops"') as string,
    });
  });

  it('tell which package reads them where that is not installed', async () => {
    vi.doMock('eventsource-parser', () => {
      throw new Error('Cannot find package');
    });
    await expect(all(readServerSentEvents(bodyOf('')))).rejects.toMatchObject({
      code: 'missing_package',
      message: expect.stringContaining('npm install eventsource-parser') as string,
    });
    vi.doUnmock('eventsource-parser');
  });
});

const objects = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }), { maxLength: 5 });

describe('any body, cut anywhere', () => {
  test.prop([objects, fc.integer({ min: 1, max: 9 })])('gives its events', async (list, size) => {
    const text = list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    expect(await all(readServerSentEvents(cut(text, size)))).toEqual(list);
  });

  test.prop([objects, fc.integer({ min: 1, max: 9 }), fc.constantFrom('\n', '\r\n', '\n\n')])(
    'gives its lines',
    async (list, size, end) => {
      const text = list.map((event) => JSON.stringify(event)).join(end);
      expect(await all(readJsonLines(cut(text, size)))).toEqual(list);
    },
  );
});

describe('JSON lines', () => {
  it('that are no JSON objects are refused', async () => {
    await expect(all(readJsonLines(bodyOf('{}\n7')))).rejects.toMatchObject({ code: 'invalid_json' });
  });
});
