import { createHash } from 'node:crypto';

const KEPT = /^[a-z0-9_-]+$/;
/** What Windows takes for a device, whatever comes behind the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const MAX_LENGTH = 180;
const PREFIX_LENGTH = 100;

/**
 * The name of a session's file without its ending: another one for each id, also where the file system does not tell
 * upper from lower case, and never one that leads out of the folder. It is not decoded: the id stands in the file.
 */
export function fileName(id: string): string {
  const name = KEPT.test(id) ? id : Array.from(Buffer.from(id), escaped).join('');
  if (name.length > MAX_LENGTH) return `${name.slice(0, PREFIX_LENGTH)}~~${sha256(id)}`;
  return DEVICE.test(name) ? `~r${name}` : name;
}

function escaped(byte: number): string {
  const char = String.fromCharCode(byte);
  return KEPT.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
