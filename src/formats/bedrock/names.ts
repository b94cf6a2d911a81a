import { WireNames } from '../wire-names.ts';
import type { BedrockOptions } from './options.ts';

/** The ids that models take (ToolUseBlock.toolUseId in the service model of Bedrock Runtime). */
const IDS = { wide: /^[\w.:-]{1,64}$/, narrow: /^[\w-]{1,64}$/, nine: /^[a-zA-Z0-9]{9}$/ } as const;
/** The names of tools that it takes (ToolUseBlock.name in the same). */
export const TOOL_NAME = IDS.narrow;

/** Gives the ids of calls. */
export function callIds({ callIds: grammar = 'wide' }: BedrockOptions): WireNames {
  return new WireNames(
    (id) => IDS[grammar].test(id),
    (_, hash) => (grammar === 'nine' ? hash.slice(1) : `tooluse_${hash}`),
  );
}

/** Gives the names of tools. As much is kept as leaves room for the hash. */
export function toolNames(): WireNames {
  return new WireNames(
    (name) => TOOL_NAME.test(name),
    (name, hash) => `${name.slice(0, 53).replaceAll(/[^\w-]/g, '_')}_${hash}`,
  );
}

/**
 * The name of a file as a document may have it: at most 200 letters, digits, hyphens, round and square brackets, single
 * spaces (DocumentBlock.name), and none of those that were `used` ("Messages can't contain duplicate document names").
 * What follows the last dot is told by the format.
 */
export function documentName(fileName: string, used: Set<string>): string {
  const own = fileName
    .replace(/\.\w{1,5}$/, '')
    .slice(0, 190)
    .replaceAll(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const first = own || 'document';
  let name = first;
  for (let count = 2; used.has(name.toLowerCase()); count++) name = `${first} ${count}`;
  used.add(name.toLowerCase());
  return name;
}
