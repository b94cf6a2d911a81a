/**
 * A process that fills one session after another, and prints each acknowledgement as a line of JSON:
 * `node power-cut-writer.ts <setting> <folder>`. It goes on until it is killed.
 */
import { writeSync } from 'node:fs';
import { type Durability, Message, type Sessions } from '../../../src/index.ts';
import { SETTINGS } from './settings.ts';

/** A session that was created, or a message that was appended to it. */
export interface Acknowledgement {
  readonly session: string;
  readonly message?: string;
  readonly durable: Durability;
}

/** How many appends are under way at once. */
const LANES = 16;
const MESSAGES_A_LANE = 10;

/** The message of an id: always the same one, so that its append can be repeated. */
export function messageOf(id: string): Message {
  return Message.of({ id, content: `${id} ${'x'.repeat(300)}`, createdAt: '2025-01-01T00:00:00Z' });
}

function acknowledge(acknowledgement: Acknowledgement): void {
  writeSync(1, `${JSON.stringify(acknowledgement)}\n`);
}

async function fill(sessions: Sessions, session: string): Promise<void> {
  await sessions.createSession(session);
  acknowledge({ session, durable: sessions.storage.capabilities.durability });
  const lane = async (name: string) => {
    for (let at = 0; at < MESSAGES_A_LANE; at++) {
      const message = `${name}-${at}`;
      const onWritten = ({ durable }: { readonly durable: Durability }) => acknowledge({ session, message, durable });
      await sessions.append(session, 'chat', messageOf(message), { commitId: message, onWritten });
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, at) => lane(`lane${at}`)));
}

if (import.meta.main) {
  const [setting = '', folder = ''] = process.argv.slice(2);
  const { sessions } = SETTINGS[setting]!(folder);
  for (let at = 0; ; at++) await fill(sessions, `session-${at}`);
}
