/**
 * Synthetic conversations, the same in every run: mixed roles, about 200 characters a message, 20 % of the messages
 * are tool calls and their results, 5 % carry an image, about a quarter repeat the role before them.
 */
import type { MessageJSON, MessageStoreJSON } from '../../../src/index.ts';

const WORDS = (
  'the of and to in is that it was for on are as with they be at one have this from or had by hot word but what some we can out other were all ' +
  'there when up use your how said an each she which do their time if will way about many then them write would like so these her long make thing see him two ' +
  'has look more day could go come did number sound no most people my over know water than call first who may down side been now find any new work part take get ' +
  'place made live where after back little only round man year came show every good me give our under name very through just form sentence great think say help ' +
  'function const return await async Promise array object string index version database transaction latency throughput schema token context window assistant model ' +
  'embedding retrieval JSON parser error timeout retry response request server client message section history system prompt naïve café Zürich résumé'
).split(' ');
/** About one text in ten becomes a two-byte string. */
const WIDE = ['東京', '🙂', '—', '“quoted”'];
const TOOLS = ['search_web', 'read_file', 'run_sql', 'get_weather', 'send_email'];
const START = Date.UTC(2026, 0, 1);

type Random = () => number;

/** A generator of numbers below 1, the same for the same seed. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(next: Random, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

function hex(next: Random, length: number): string {
  let out = '';
  while (out.length < length)
    out += Math.floor(next() * 0x10000)
      .toString(16)
      .padStart(4, '0');
  return out.slice(0, length);
}

/** Text of about so many characters. */
export function text(next: Random, length = 200): string {
  let out = '';
  while (out.length < length) out += (out && ' ') + (next() < 0.003 ? pick(next, WIDE) : pick(next, WORDS));
  return out;
}

/** So many messages as stored. */
export function conversation(count: number, seed = 42): MessageJSON[] {
  const next = random(seed + count);
  const out: object[] = [];
  const push = (fields: object): void => {
    const createdAt = new Date(START + out.length * 1000).toISOString();
    out.push({ id: `msg_${hex(next, 24)}`, createdAt, ...fields });
  };
  const metadata = { _metadata: { model: 'gpt-x', finish: 'stop' } };
  push({ role: 'system', content: text(next) });
  let role = 'system';
  while (out.length < count) {
    if (next() < 1 / 9 && out.length + 2 <= count) {
      const name = pick(next, TOOLS);
      const id = `call_${hex(next, 20)}`;
      const args = { query: text(next, 60), limit: Math.floor(next() * 50), strict: next() < 0.5 };
      const calls = [{ id, name, arguments: args }];
      push({ role: 'assistant', content: text(next, 60), tool_calls: calls, ...metadata });
      const took = Math.floor(next() * 900);
      const content = JSON.stringify({ ok: true, rows: [text(next, 70), text(next, 70)], took });
      push({ role: 'tool', content, tool_result: { content, call_id: id, tool_name: name, is_error: false } });
      role = 'tool';
      continue;
    }
    role = nextRole(role, next);
    const said = text(next);
    if (role === 'assistant') push({ role, content: said, ...metadata });
    else if (next() >= 0.12) push({ role, content: said });
    else {
      const image = { type: 'image_url', image_url: { url: `https://img.example/${hex(next, 32)}.png` } };
      push({ role, content: [{ type: 'text', text: said }, image] });
    }
  }
  return flat(out) as MessageJSON[];
}

function nextRole(before: string, next: Random): string {
  const changes = next() < 0.75;
  if (before === 'user') return changes ? 'assistant' : 'user';
  if (before === 'assistant') return changes ? 'user' : 'assistant';
  return next() < 0.5 ? 'user' : 'assistant';
}

/** Without the ropes that concatenation leaves: text that comes from outside is flat. */
function flat(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A stored conversation: instructions in one section, the rest in another. */
export function storeJSON(messages: readonly MessageJSON[]): MessageStoreJSON {
  return {
    version: 1,
    sections: [
      { name: 'system', messages: messages.slice(0, 1) },
      { name: 'chat', messages: messages.slice(1) },
    ],
    parameters: { model: 'gpt-x' },
  };
}
