import type { ToolCall } from '../../model/tool-call.ts';
import { WireNames } from '../wire-names.ts';
import type { BedrockOptions } from './options.ts';

/** The ids that models take (ToolUseBlock.toolUseId in the service model of Bedrock Runtime), and how one is made. */
const IDS = {
  wide: [/^[a-zA-Z0-9_.:-]{1,64}$/, (hash: string): string => `tooluse_${hash}`],
  narrow: [/^[a-zA-Z0-9_-]{1,64}$/, (hash: string): string => `tooluse_${hash}`],
  nine: [/^[a-zA-Z0-9]{9}$/, (hash: string): string => hash.slice(1)],
} as const;

/** ToolUseBlock.name in the service model of Bedrock Runtime. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 53;

/** Gives the ids and names of a request's tool calls, as the wire takes them: an id is used once in all of it. */
export class CallNames {
  readonly #ids: WireNames;
  readonly #names = new WireNames(
    (name) => NAME.test(name),
    (name, hash) => `${name.slice(0, KEPT).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`,
  );
  /** How often each id was used. */
  readonly #uses = new Map<string, number>();
  /** The ids of the calls of this turn that go out under another. */
  readonly #changed = new Map<string, string>();

  constructor({ callIds = 'wide' }: BedrockOptions) {
    const [grammar, make] = IDS[callIds];
    this.#ids = new WireNames(
      (id) => grammar.test(id),
      (_, hash) => make(hash),
    );
  }

  /** Begins a turn: the answers that follow are to its calls. */
  startTurn(): void {
    this.#changed.clear();
  }

  /** The id under which a call of this turn goes out. The same id in a later turn gets another: no id holds a control character. */
  idOf(call: ToolCall): string {
    const own = call.idString();
    const use = (this.#uses.get(own) ?? 0) + 1;
    this.#uses.set(own, use);
    const id = this.#ids.of(use === 1 ? own : `${own}\u0000${use}`);
    if (id !== own) this.#changed.set(own, id);
    return id;
  }

  /** The name of a tool. */
  nameOf(call: ToolCall): string {
    return this.#names.of(call.name);
  }

  /** The id under which the call of this turn went out that has this one. */
  answered(id: string): string {
    return this.#changed.get(id) ?? id;
  }
}
