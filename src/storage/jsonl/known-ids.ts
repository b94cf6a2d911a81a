import type { LoggedOp, SessionState } from '../session-state.ts';

/** The ids of a session while one commit is looked through. */
export class KnownIds {
  readonly #state: SessionState;
  readonly #added = new Set<string>();
  readonly #gone = new Set<string>();
  #isReset = false;

  constructor(state: SessionState) {
    this.#state = state;
  }

  has(id: string): boolean {
    return this.#added.has(id) || (!this.#isReset && !this.#gone.has(id) && this.#state.byId.has(id));
  }

  take(op: LoggedOp): void {
    if (op.op === 'node') this.#added.add(op.node.id);
    if (op.op === 'drop') for (const id of op.ids) this.#remove(id);
    if (op.op !== 'reset') return;
    this.#isReset = true;
    this.#added.clear();
  }

  #remove(id: string): void {
    this.#added.delete(id);
    this.#gone.add(id);
  }
}
