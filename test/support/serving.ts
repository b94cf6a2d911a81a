import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** What a server answers: a body of its type. */
export interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** What a server was asked. */
export interface Asked {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A JSON document. */
export const json = (value: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(value) });

/** Server-sent events: each with its own name, where it has a type and `named` says so. */
export const events = (list: readonly object[], { named = false, done = false } = {}): Answer => ({
  type: 'text/event-stream',
  body: [
    ...list.map(
      (event) =>
        `${named && 'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    ),
    ...(done ? ['data: [DONE]\n\n'] : []),
  ].join(''),
});

/** JSON lines. */
export const lines = (list: readonly object[]): Answer => ({
  type: 'application/x-ndjson',
  body: list.map((event) => `${JSON.stringify(event)}\n`).join(''),
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server on this machine that gives these answers one after another, its address, and what it was asked. */
export async function serving(
  ...answers: readonly Answer[]
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push({ url: request.url ?? '', body: JSON.parse(await bodyOf(request)) });
    const answer = answers[asked.length - 1];
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': answer?.type ?? 'text/plain' });
    response.end(answer?.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
