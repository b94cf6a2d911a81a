/**
 * Gives ids, or names of tools, that a wire takes: each as it is where the wire's grammar allows it, else what is made
 * of a hash of it. The same text gets the same one, two texts never get one, and what came first keeps its own when a
 * history grows.
 */
export class WireNames {
  readonly #takes: (text: string) => boolean;
  readonly #make: (text: string, hash: string) => string;
  readonly #given = new Map<string, string>();
  readonly #used = new Set<string>();

  /** `takes`: the wire's grammar. `make` has to give what it takes, different for another hash, which is ten digits and small letters. */
  constructor(takes: (text: string) => boolean, make: (text: string, hash: string) => string) {
    this.#takes = takes;
    this.#make = make;
  }

  /** What stands for this text on the wire. */
  of(text: string): string {
    const known = this.#given.get(text);
    if (known !== undefined) return known;
    let name = this.#takes(text) ? text : this.#make(text, hashOf(text));
    for (let attempt = 2; this.#used.has(name); attempt++) name = this.#make(text, hashOf(`${text}#${attempt}`));
    this.#given.set(text, name);
    this.#used.add(name);
    return name;
  }
}

/** Ten digits and small letters of 52 bits: two FNV-1a hashes, one over the code units, one over them backwards. */
function hashOf(text: string): string {
  let forth = 0x811c9dc5;
  let back = 0x9dc5811c;
  for (let at = 0; at < text.length; at++) {
    forth = Math.imul(forth ^ text.charCodeAt(at), 0x01000193);
    back = Math.imul(back ^ text.charCodeAt(text.length - 1 - at), 0x01000193);
  }
  const number = (forth >>> 0) * 2 ** 20 + (back >>> 12);
  return number.toString(36).padStart(10, '0').slice(-10);
}
