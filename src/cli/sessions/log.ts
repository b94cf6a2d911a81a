import type { Message } from '../../model/message.ts';
import { MESSAGE } from '../../storage/message-node.ts';
import { headOf, pathAll, scanAll } from '../../storage/read-nodes.ts';
import type { SessionStorage, StoredNode } from '../../storage/storage.ts';
import { printable } from '../failure.ts';
import { note, type Output, withOutput } from '../output.ts';
import { withStore } from './open-store.ts';
import { messageNamed, nodePages } from './read-store.ts';
import { callsOf, readable } from './words.ts';

/** The options of `sessions log`. */
export interface LogOptions {
  /** The end of the path: a message or a label. */
  readonly to?: string;
  /** How many of the newest. */
  readonly limit?: number;
  readonly section?: string;
  readonly json?: boolean;
  /** Whether all branches are printed, in the order in which they were stored. */
  readonly all?: boolean;
}

/** Prints messages, the newest last. Gives how many could not be read, which are told on standard error. */
export async function log(text: string, id: string, options: LogOptions): Promise<number> {
  return withStore(text, 'read', ({ storage }) =>
    withOutput(undefined, async (output) => {
      await headOf(storage, id);
      const { labels } = await storage.extras(id);
      const entry = options.json === true ? jsonOf : textOf;
      let damaged = 0;
      for await (const nodes of nodesOf(storage, id, options)) damaged += await print(nodes, labels, entry, output);
      return damaged;
    }),
  );
}

type Labels = Readonly<Record<string, string>>;
type Entry = (message: Message, node: StoredNode, label: string | undefined) => string;

async function* nodesOf(
  storage: SessionStorage,
  id: string,
  { to, limit, section, all = false }: LogOptions,
): AsyncGenerator<readonly StoredNode[], void, undefined> {
  const where = section === undefined ? {} : { section };
  if (all && limit === undefined) yield* nodePages(storage, id, where);
  else if (all) yield (await scanAll(storage, id, { ...where, dir: 'desc' }, limit)).toReversed();
  else {
    const end = to === undefined ? {} : { to: await messageNamed(storage, id, to) };
    yield (await pathAll(storage, id, { ...where, ...end, ...(limit !== undefined && { limit }) })).items;
  }
}

async function print(nodes: readonly StoredNode[], labels: Labels, entry: Entry, output: Output): Promise<number> {
  let damaged = 0;
  for (const node of nodes) {
    if (node.type !== MESSAGE) continue;
    const message = readable(node);
    const label = Object.hasOwn(labels, node.id) ? labels[node.id] : undefined;
    if (message !== undefined) await output.write(entry(message, node, label));
    else {
      damaged++;
      await note(`message ${JSON.stringify(node.id)}: cannot be read`);
    }
  }
  return damaged;
}

function jsonOf(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** A line about the message, and what it says below, so that nothing can steer a terminal. */
function textOf(message: Message, { id, at, section }: StoredNode, label: string | undefined): string {
  const about = [message.role, section, at, id, ...(label === undefined ? [] : [`[${label}]`])];
  const calls = callsOf(message, (json) => json);
  const said = [...message.toString().split(/\r\n|[\n\r\u2028\u2029]/), ...(calls === '' ? [] : [`→ ${calls}`])];
  const lines = said.filter((line) => line.trim() !== '').map((line) => `  ${indented(line)}`);
  return `${[printable(about.join('  ')), ...lines].join('\n')}\n`;
}

function indented(line: string): string {
  const spaces = line.length - line.trimStart().length;
  return ' '.repeat(spaces) + printable(line.replaceAll('\t', '  '));
}
