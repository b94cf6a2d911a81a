import { crc32 } from 'node:zlib';
import type { Answer } from './serving.ts';

/** Events of an AWS event stream, each with its type and its JSON. */
export function eventStream(events: readonly (readonly [type: string, payload: object])[]): Answer {
  return {
    type: 'application/vnd.amazon.eventstream',
    body: Buffer.concat(events.map(([type, payload]) => frame(type, payload))),
  };
}

/** Lengths, their checksum, headers, payload, and the checksum of all of it. */
function frame(type: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', type),
    header(':content-type', 'application/json'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const lengths = Buffer.concat([uint32(16 + headers.length + body.length), uint32(headers.length)]);
  const message = Buffer.concat([lengths, uint32(crc32(lengths)), headers, body]);
  return Buffer.concat([message, uint32(crc32(message))]);
}

/** A header of text, whose type is 7. */
function header(name: string, value: string): Buffer {
  const length = Buffer.from([value.length >> 8, value.length & 255]);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
