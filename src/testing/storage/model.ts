import type FastCheck from 'fast-check';
import { MessageStoreError } from '../../errors.ts';
import { newId } from '../../internal/ids.ts';
import { memoryStorage } from '../../storage/memory/memory-storage.ts';
import type { Commit, CommitResult, Expectation, NodeRecord, Op, SessionStorage } from '../../storage/storage.ts';
import { describeError, fail, outcomeOf, same } from './check.ts';
import type { StorageHarness } from './harness.ts';
import { listRead, type Read, readsOf } from './model-reads.ts';
import { type NodeRef, type StepExpectation, type StepOp, stepsArbitrary, type StorageStep } from './model-steps.ts';
import { AT, idsOf } from './session.ts';

/** Sequences of calls, and what tells whether a storage answers them as the one in memory does. */
export interface StorageModel {
  /** Sequences of calls on three sessions: commits good and bad, retries, stale expectations, deletes, reopenings. */
  readonly steps: FastCheck.Arbitrary<readonly StorageStep[]>;
  /**
   * Makes the calls on a storage of the place and on one in memory, and compares after each of them what came of it
   * and all that can be read. Rejects at the first difference, and says after which step.
   */
  compare(harness: StorageHarness, steps: readonly StorageStep[]): Promise<void>;
}

/**
 * A comparison with the storage in memory, over the fast-check of the caller.
 *
 * @example
 * import * as fc from 'fast-check';
 * import { memoryStorage } from 'message-store';
 * import { storageModel } from 'message-store/testing';
 * const { steps, compare } = storageModel(fc);
 * const place = { open: async () => memoryStorage() };
 * await fc.assert(fc.asyncProperty(steps, async (calls) => compare(place, calls)), { numRuns: 10 });
 */
export function storageModel(fc: typeof FastCheck): StorageModel {
  return {
    steps: stepsArbitrary(fc),
    compare: async (harness, steps) => {
      const comparison = new Comparison(harness, await harness.open());
      try {
        for (const [at, step] of steps.entries()) await comparison.make(step, at);
        await comparison.reopen();
      } finally {
        await comparison.leave();
      }
    },
  };
}

/** A commit that was made, without what was expected. */
type Made = Omit<Commit, 'expect'>;

/** What is known of one session while steps are made. */
interface Known {
  readonly id: string;
  /** Every id of a node that was ever given. */
  readonly used: string[];
  readonly made: Made[];
  /** The epochs of it as it was before it was deleted: in the model, in the storage. */
  oldEpochs: readonly [string, string];
}

class Comparison {
  readonly #harness: StorageHarness;
  readonly #model = memoryStorage();
  #tested: SessionStorage;
  readonly #prefix = `model-${newId()}-`;
  readonly #sessions = new Map<number, Known>();
  #turn = 0;
  #count = 0;

  constructor(harness: StorageHarness, tested: SessionStorage) {
    this.#harness = harness;
    this.#tested = tested;
  }

  async make(step: StorageStep, at: number): Promise<void> {
    this.#turn = at;
    try {
      if (step.do === 'reopen') return await this.reopen();
      const known = this.#session(step.session);
      await this.#call(step, known);
      await this.#compareSession(known);
    } catch (error) {
      throw new Error(`after step ${at}, ${JSON.stringify(step, bigintText)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Compares all in a new instance, where there can be one. */
  async reopen(): Promise<void> {
    if (this.#harness.can?.reopen === true) {
      await this.#tested[Symbol.asyncDispose]();
      this.#tested = await this.#harness.open();
    }
    for (const known of this.#sessions.values()) await this.#compareSession(known);
    await this.#compareRead(listRead(this.#prefix, 1 + (this.#turn % 3)));
  }

  async leave(): Promise<void> {
    if (this.#harness.can?.reopen === true) await this.#tested[Symbol.asyncDispose]();
  }

  #session(at: number): Known {
    const known = this.#sessions.get(at) ?? { id: `${this.#prefix}${at}`, used: [], made: [], oldEpochs: ['', ''] };
    this.#sessions.set(at, known);
    return known;
  }

  async #call(step: Exclude<StorageStep, { do: 'reopen' }>, known: Known): Promise<void> {
    const { id } = known;
    switch (step.do) {
      case 'create':
        return this.#both('create', async (storage) => (await storage.create(id, step)).version);
      case 'delete':
        return this.#delete(step.isStale, known);
      case 'retry': {
        const commit = known.made.at(-1 - (step.back % Math.max(1, known.made.length)));
        return commit === undefined ? undefined : this.#commit(commit, step.expect, known);
      }
      case 'commit': {
        const earlier = step.idOf === undefined ? undefined : known.made[step.idOf % Math.max(1, known.made.length)];
        const ops = await this.#opsOf(step.ops, known);
        const commit = { id: earlier?.id ?? `commit-${this.#count++}`, ops, keepLeaf: step.keepLeaf };
        known.made.push(commit);
        return this.#commit(commit, step.expect, known);
      }
    }
  }

  async #delete(isStale: boolean, known: Known): Promise<void> {
    const [model, tested] = [await this.#model.head(known.id), await this.#tested.head(known.id)];
    if (model !== null && tested !== null) known.oldEpochs = [model.epoch, tested.epoch];
    const options = { expectVersion: (model?.version ?? 0) + (isStale ? 1 : 0) };
    await this.#both('delete', async (storage) => storage.delete(known.id, options));
  }

  async #commit(commit: Made, expect: StepExpectation | undefined, known: Known): Promise<void> {
    await this.#both('commit', async (storage) => {
      const expectation = await this.#expectation(storage, expect, known);
      const { status, version, leaf, nodes } = await storage.commit(known.id, { ...commit, ...expectation });
      return { status, version, leaf, nodes: nodes.map(withoutSeq) };
    });
  }

  async #expectation(
    storage: SessionStorage,
    what: StepExpectation | undefined,
    known: Known,
  ): Promise<{ expect?: Expectation }> {
    const head = await storage.head(known.id);
    if (what === undefined || head === null) return {};
    const [old, version] = [known.oldEpochs[storage === this.#model ? 0 : 1], head.version];
    const expects: Readonly<Record<StepExpectation, Expectation>> = {
      version: { version },
      leaf: { leaf: head.leaf, version },
      epoch: { epoch: head.epoch },
      'old version': { version: version - 1 },
      'other leaf': { leaf: known.used[this.#turn % Math.max(1, known.used.length)] ?? null },
      'old epoch': { epoch: old },
    };
    return { expect: expects[what] };
  }

  /** The changes of a step for the nodes that are there now. */
  async #opsOf(ops: readonly StepOp[], known: Known): Promise<Op[]> {
    const head = await this.#model.head(known.id);
    const nodes = head === null ? [] : (await this.#model.scan(known.id)).items;
    const choice = new Choice(nodes, known.used, () => `n${this.#count++}`);
    return ops.flatMap((op) => (choice.has(op) ? [choice.op(op)] : []));
  }

  async #compareSession({ id, used }: Known): Promise<void> {
    for (const read of readsOf(id, [...new Set(used)], this.#turn)) await this.#compareRead(read);
  }

  async #compareRead(read: Read): Promise<void> {
    await this.#both(read.what, async (storage) => read.of(storage));
  }

  /** The same call on both, which must end in the same way. */
  async #both(what: string, call: (storage: SessionStorage) => Promise<unknown>): Promise<void> {
    const expected = await outcomeOf(what, async () => call(this.#model));
    const actual = await outcomeOf(what, async () => call(this.#tested));
    if ('error' in actual && !('error' in expected))
      fail(`${what}: expected a result, got ${describeError(actual.error)}`);
    same(what, plainOutcome(actual), plainOutcome(expected));
  }
}

/** Chooses the nodes that a step is about. */
class Choice {
  readonly #there: string[];
  readonly #records: ReadonlyMap<string, NodeRecord>;
  readonly #used: string[];
  readonly #nextId: () => string;

  constructor(nodes: readonly NodeRecord[], used: string[], nextId: () => string) {
    this.#there = idsOf(nodes);
    this.#records = new Map(nodes.map((node) => [node.id, node]));
    this.#used = used;
    this.#nextId = nextId;
  }

  /** Whether there is any node for a change that needs one. */
  has({ op }: StepOp): boolean {
    return this.#there.length > 0 || !['leaf', 'label', 'place'].includes(op);
  }

  op(step: StepOp): Op {
    switch (step.op) {
      case 'node':
        return { op: 'node', node: this.#node(step) };
      case 'draft': {
        const [id, { section, data }] = [`d${step.id}`, step];
        this.#used.push(id);
        return { op: 'draft', id, node: data === null ? null : { id, section, type: 'message', at: AT, data } };
      }
      case 'leaf':
        return { op: 'leaf', to: step.to === null ? null : this.#pick(step.to) };
      case 'label':
        return { ...step, target: this.#pick(step.target) };
      case 'place':
        return { ...step, id: this.#pick(step.id) };
      case 'drop':
        return { op: 'drop', ids: step.ids.map((ref) => this.#pick(ref)) };
      default:
        return step;
    }
  }

  #node({ again, isSame, parent, section, data }: StepOp & { readonly op: 'node' }): NodeRecord {
    const id = again === undefined ? this.#nextId() : this.#pick(again, this.#used);
    const known = this.#records.get(id);
    const parentId = this.#parent(parent);
    this.#there.push(id);
    this.#used.push(id);
    if (isSame && known !== undefined)
      return { id, section: known.section, type: known.type, at: AT, data: known.data };
    return { id, section, type: 'message', at: AT, data, ...(parentId !== undefined && { parentId }) };
  }

  #parent(ref: NodeRef | null | undefined): string | null | undefined {
    if (ref === undefined || ref === null) return ref;
    return this.#there.length === 0 ? undefined : this.#pick(ref);
  }

  #pick(ref: number, from: readonly string[] = this.#there): string {
    return (ref < 0 ? undefined : from[ref % Math.max(1, from.length)]) ?? 'unknown';
  }
}

function plainOutcome(outcome: { readonly value: unknown } | { readonly error: unknown }): unknown {
  if (!('error' in outcome)) return outcome;
  const { error } = outcome;
  if (!MessageStoreError.isInstance(error)) return { error: describeError(error) };
  return { code: error.code, actual: (error as { actual?: unknown }).actual ?? null };
}

function withoutSeq({ id, parentId, depth }: CommitResult['nodes'][number]): unknown {
  return [id, parentId, depth];
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
