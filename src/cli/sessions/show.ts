import type { JsonObject } from '../../schema/json.ts';
import { type Branch, listBranches } from '../../storage/branches.ts';
import { headOf } from '../../storage/read-nodes.ts';
import type { SectionRecord, SessionHead, SessionStorage } from '../../storage/storage.ts';
import { columns } from '../columns.ts';
import { printable } from '../failure.ts';
import { withOutput } from '../output.ts';
import { withStore } from './open-store.ts';
import { nodePages } from './read-store.ts';
import { shortened } from './words.ts';

/** The options of `sessions show`. */
export interface ShowOptions {
  readonly json?: boolean;
}

/** What is known of a session. */
interface Shown extends SessionHead {
  readonly sections: readonly (SectionRecord & { readonly messages: number })[];
  readonly parameters: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  readonly branches: readonly Branch[];
  /** The ids of messages that were growing when they were last written. */
  readonly drafts: readonly string[];
}

/** Prints what is known of a session, without its messages. */
export async function show(text: string, id: string, { json = false }: ShowOptions): Promise<void> {
  const shown = await withStore(text, 'read', ({ storage }) => lookAt(storage, id));
  const page = json ? JSON.stringify(shown, null, 2) : pageOf(shown);
  await withOutput(undefined, (output) => output.write(`${page}\n`));
}

async function lookAt(storage: SessionStorage, id: string): Promise<Shown> {
  const head = await headOf(storage, id);
  const { sections, params, labels, drafts } = await storage.extras(id);
  const counted = [];
  for (const section of sections) counted.push({ ...section, messages: await count(storage, id, section.name) });
  const branches = await listBranches(storage, id);
  return { ...head, sections: counted, parameters: params, labels, branches, drafts: drafts.map((draft) => draft.id) };
}

async function count(storage: SessionStorage, id: string, section: string): Promise<number> {
  let messages = 0;
  for await (const page of nodePages(storage, id, { section })) messages += page.length;
  return messages;
}

function pageOf(shown: Shown): string {
  const { sections, parameters, labels, branches } = shown;
  return [
    columns([['session', printable(shown.id)], ...factsOf(shown)]),
    ...table(
      ['section', 'messages', 'policy'],
      sections.map(({ name, messages, policy }) => [name, String(messages), policy ? JSON.stringify(policy) : '']),
    ),
    ...table(['parameter', 'value'], valuesOf(parameters)),
    ...table(
      ['branch', 'messages', 'made', 'label', ''],
      branches.map(({ leaf, length, at, label = '', isActive }) => [
        leaf,
        String(length),
        at,
        label,
        isActive ? '← leaf' : '',
      ]),
    ),
    ...table(
      ['label', 'message'],
      Object.entries(labels).map(([target, label]) => [label, target]),
    ),
  ].join('\n\n');
}

/** What the head says, save what is told elsewhere. */
function factsOf(shown: Shown): string[][] {
  const { version, leaf, nodeCount, bytes, createdAt, updatedAt, forkedFrom, meta, drafts } = shown;
  const facts = {
    messages: nodeCount,
    size: bytes,
    version,
    leaf: leaf ?? 'before the first message',
    created: createdAt,
    updated: updatedAt,
    ...(forkedFrom && { 'forked from': `${forkedFrom.session} at ${forkedFrom.node ?? 'its beginning'}` }),
    ...(drafts.length > 0 && { drafts: drafts.join(', ') }),
  };
  const said = Object.entries(facts).map(([name, value]) => [name, printable(String(value))]);
  return [...said, ...valuesOf(meta).map(([name = '', value = '']) => [`meta ${name}`, value])];
}

function valuesOf(values: JsonObject): string[][] {
  return Object.entries(values).map(([name, value]) => [printable(name), shortened(JSON.stringify(value), 80)]);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [columns([headings, ...rows.map((row) => row.map(printable))])];
}
