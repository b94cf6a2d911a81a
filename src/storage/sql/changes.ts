import type { JsonObject } from '../../schema/json.ts';
import type { CheckedNode } from '../check-commit.ts';
import type { PlannedNode, PlannedOp } from '../plan-commit.ts';
import { patched } from '../session-state.ts';
import type { NodePlace } from '../storage.ts';
import type { CommitView } from './commit-view.ts';

/** A node that is to be added, with its place in the order. */
export type AddedNode = PlannedNode & { readonly seq: number; readonly parentSeq: number | null };

/** What is said of a section beside its name. */
export interface Declaration {
  readonly policy?: JsonObject;
  readonly extra?: JsonObject;
}

/** The counters of a session's row. */
interface Counters {
  readonly seq: number;
  readonly nodeCount: number;
  readonly bytes: number;
  readonly meta: JsonObject;
}

/** What a commit leaves to be written: its operations folded together, so that each row is touched once. */
export class Changes {
  seq: number;
  nodeCount: number;
  bytes: number;
  meta: JsonObject;
  /** Whether all that stood there goes. */
  isReset = false;
  readonly added = new Map<string, AddedNode>();
  /** The places in the order of known nodes that go. */
  readonly dropped = new Set<number>();
  /** Null removes. */
  readonly labels = new Map<number, string | null>();
  readonly params = new Map<string, string | null>();
  readonly drafts = new Map<string, string | null>();
  /** Every section that is mentioned, in that order. */
  readonly sections = new Map<string, Declaration>();
  places: { readonly seq: number; readonly nodeSeq: number; readonly section: string }[] = [];
  readonly #view: CommitView;
  readonly #gone = new Set<string>();

  constructor(view: CommitView, before: Counters) {
    this.#view = view;
    this.seq = before.seq;
    this.nodeCount = before.nodeCount;
    this.bytes = before.bytes;
    this.meta = before.meta;
  }

  make(op: PlannedOp): void {
    switch (op.op) {
      case 'node':
        return this.#add(op.node);
      case 'draft':
        return void this.drafts.set(op.id, op.node === null ? null : draftText(op.node));
      case 'label':
        return void this.labels.set(this.#seqOf(op.target), op.label);
      case 'section':
        return this.#declare(op.name, op);
      case 'place':
        this.#declare(op.section);
        return void this.places.push({ seq: ++this.seq, nodeSeq: this.#seqOf(op.id), section: op.section });
      case 'drop':
        return op.ids.forEach((id) => this.#drop(id));
      case 'reset':
        return this.#reset();
      case 'param':
        return void this.params.set(op.key, op.value === undefined ? null : JSON.stringify(op.value));
      case 'meta':
        this.meta = patched(this.meta, op.patch);
    }
  }

  /** Where a node stands after the commit. */
  place(id: string): NodePlace | undefined {
    return this.added.get(id) ?? (this.isReset || this.#gone.has(id) ? undefined : this.#view.node(id));
  }

  /** Whether a section is surely known already: a known node stands in it. */
  isKnownSection(name: string): boolean {
    return !this.isReset && [...this.#view.known.values()].some(({ section }) => section === name);
  }

  #add(node: PlannedNode): void {
    const parentSeq = node.parentId === null ? null : this.#seqOf(node.parentId);
    this.added.set(node.id, { ...node, seq: ++this.seq, parentSeq });
    this.nodeCount++;
    this.bytes += node.bytes;
    this.drafts.set(node.id, null);
    this.#declare(node.section);
  }

  #seqOf(id: string): number {
    return (this.place(id) as NodePlace).seq;
  }

  #declare(name: string, { policy, extra }: Declaration = {}): void {
    this.sections.set(name, { ...this.sections.get(name), ...(policy && { policy }), ...(extra && { extra }) });
  }

  #drop(id: string): void {
    const node = this.added.get(id) ?? this.#view.node(id);
    const seq = this.place(id)?.seq;
    if (node === undefined || seq === undefined) return;
    if (!this.added.delete(id)) {
      this.dropped.add(seq);
      this.#gone.add(id);
    }
    this.nodeCount--;
    this.bytes -= node.bytes;
    this.labels.delete(seq);
    this.places = this.places.filter(({ nodeSeq }) => nodeSeq !== seq);
  }

  #reset(): void {
    this.isReset = true;
    this.nodeCount = this.bytes = 0;
    this.places = [];
    for (const part of [this.added, this.dropped, this.labels, this.params, this.drafts, this.sections]) part.clear();
  }
}

/** The JSON text of a draft's record. */
function draftText({ text, ...record }: CheckedNode): string {
  return `${JSON.stringify(record).slice(0, -1)},"data":${text}}`;
}
