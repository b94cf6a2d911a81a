import { WireNames } from '../wire-names.ts';

/** The service model of Bedrock Runtime, DocumentBlock.name. */
const LONGEST = 200;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 180;

/** Gives the names of a request's documents: each once ("Messages can't contain duplicate document names"). */
export class DocumentNames {
  readonly #names = new WireNames(
    (name) => !name.includes('\u0000'),
    (name, hash) => `${legal(name.slice(0, KEPT))} ${hash}`,
  );
  /** How often each name was used, whatever its case. */
  readonly #uses = new Map<string, number>();

  /** The name of a file as the wire takes it, without what follows its last dot: the format tells that. */
  of(fileName: string): string {
    const own = legal(fileName.replace(/\.\w{1,5}$/, '').slice(0, LONGEST));
    const key = own.toLowerCase();
    const use = (this.#uses.get(key) ?? 0) + 1;
    this.#uses.set(key, use);
    return this.#names.of(use === 1 ? own : `${own}\u0000${use}`);
  }
}

/**
 * A name with nothing but letters, digits, hyphens, round and square brackets, and single spaces
 * (`@aws-sdk/client-bedrock-runtime`, DocumentBlock.name).
 */
function legal(name: string): string {
  const taken = name
    .replaceAll(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return taken === '' ? 'document' : taken;
}
