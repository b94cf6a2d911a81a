/** A node as it is drawn. */
export interface DrawnNode {
  readonly id: string;
  /** The id on one line. */
  readonly shownId: string;
  /** The role and the first words. */
  readonly words: string;
  readonly label: string | undefined;
  readonly isLeaf: boolean;
}

/** The nodes below each, in order; below null the roots. */
export type Children = ReadonlyMap<string | null, readonly DrawnNode[]>;

/** A run of nodes that is to be drawn: where it begins, and what stands before its first line and the others. */
interface Run {
  readonly start: DrawnNode;
  readonly lead: string;
  readonly rest: string;
}

/** How many nodes of a run are drawn at each of its ends. */
const SHOWN = 3;
/** Guides that are longer are cut at the left, so that many branches inside each other stay readable. */
const MAX_GUIDE = 90;

/**
 * The lines of a tree. Nodes without branching stand below each other; of a long run only the ends, and what has a
 * label, unless all are asked for. Any depth.
 */
export function* linesOf(children: Children, full: boolean): Generator<string, void, undefined> {
  const waiting = runsBelow(children.get(null) ?? [], '', true);
  for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
    const nodes = [run.start];
    let below = children.get(run.start.id) ?? [];
    while (below.length === 1) {
      const [only] = below as readonly [DrawnNode];
      nodes.push(only);
      below = children.get(only.id) ?? [];
    }
    yield* linesOfRun(nodes, run, full);
    for (const next of runsBelow(below, run.rest, false)) waiting.push(next);
  }
}

/** The last one first: they are taken from the end. */
function runsBelow(nodes: readonly DrawnNode[], guide: string, isTop: boolean): Run[] {
  if (isTop && nodes.length === 1) return nodes.map((start) => ({ start, lead: '', rest: '' }));
  const last = nodes.length - 1;
  return nodes
    .map((start, at) => ({
      start,
      lead: clipped(guide + (at === last ? '└─ ' : '├─ ')),
      rest: clipped(guide + (at === last ? '   ' : '│  ')),
    }))
    .toReversed();
}

function clipped(guide: string): string {
  return guide.length > MAX_GUIDE ? `⋯${guide.slice(2 - MAX_GUIDE)}` : guide;
}

function* linesOfRun(
  nodes: readonly DrawnNode[],
  { lead, rest }: Run,
  full: boolean,
): Generator<string, void, undefined> {
  let hidden: DrawnNode[] = [];
  for (const [at, node] of nodes.entries()) {
    if (!full && !isShown(node, at, nodes.length)) {
      hidden.push(node);
      continue;
    }
    yield* hiddenLines(hidden, rest);
    hidden = [];
    yield (at === 0 ? lead : rest) + lineOf(node);
  }
}

function isShown({ label, isLeaf }: DrawnNode, at: number, length: number): boolean {
  return at < SHOWN || at >= length - SHOWN || isLeaf || label !== undefined;
}

/** A single one takes no more room than what would be said instead. */
function hiddenLines(hidden: readonly DrawnNode[], rest: string): string[] {
  if (hidden.length > 1) return [`${rest}… ${hidden.length} more`];
  return hidden.map((node) => rest + lineOf(node));
}

function lineOf({ shownId, words, label, isLeaf }: DrawnNode): string {
  return [shownId, words, ...(label === undefined ? [] : [`[${label}]`]), ...(isLeaf ? ['← leaf'] : [])].join('  ');
}
