import type FastCheck from 'fast-check';
import type { JsonObject, JsonValue } from '../../schema/json.ts';

type Fc = typeof FastCheck;
type Arbitrary<T> = FastCheck.Arbitrary<T>;

/** One of the nodes that are there when the step is made, counted round; a negative one is none of them. */
export type NodeRef = number;

/** A change, its nodes not yet chosen. */
export type StepOp =
  /** A new node, or with `again` the id of one that was used before, with the same content or another. */
  | {
      readonly op: 'node';
      readonly again?: NodeRef | undefined;
      readonly isSame: boolean;
      readonly parent?: NodeRef | null | undefined;
      readonly section: string;
      readonly data: JsonValue;
    }
  | { readonly op: 'draft'; readonly id: number; readonly section: string; readonly data: JsonValue }
  | { readonly op: 'leaf'; readonly to: NodeRef | null }
  | { readonly op: 'label'; readonly target: NodeRef; readonly label: string | null }
  | { readonly op: 'section'; readonly name: string; readonly policy?: JsonObject; readonly extra?: JsonObject }
  | { readonly op: 'place'; readonly id: NodeRef; readonly section: string }
  | { readonly op: 'drop'; readonly ids: readonly NodeRef[] }
  | { readonly op: 'reset' }
  | { readonly op: 'param'; readonly key: string; readonly value: JsonValue | undefined }
  | { readonly op: 'meta'; readonly patch: JsonObject };

/** What the caller of a commit has read: what is there now, or what was there before. */
export type StepExpectation = 'version' | 'leaf' | 'epoch' | 'old version' | 'other leaf' | 'old epoch';

/** One call, or a reopening of the place. */
export type StorageStep =
  | { readonly do: 'create'; readonly session: number; readonly params: JsonObject; readonly meta: JsonObject }
  | {
      readonly do: 'commit';
      readonly session: number;
      readonly ops: readonly StepOp[];
      readonly expect?: StepExpectation | undefined;
      readonly keepLeaf: boolean;
      /** Under the id of an earlier commit. */
      readonly idOf?: number | undefined;
    }
  | {
      readonly do: 'retry';
      readonly session: number;
      readonly back: number;
      readonly expect?: StepExpectation | undefined;
    }
  | { readonly do: 'delete'; readonly session: number; readonly isStale: boolean }
  | { readonly do: 'reopen' };

/** The sections of the steps, some of them alike. */
export const STEP_SECTIONS = ['chat', 'Chat', 'notes', '', 'á', 'a\u0301'];
const SESSIONS = 3;

/** Sequences of calls, most of which a storage must take, and some that it must refuse. */
export function stepsArbitrary(fc: Fc): Arbitrary<readonly StorageStep[]> {
  const session = fc.nat(SESSIONS - 1);
  const expect = rarely(
    fc,
    fc.constantFrom<StepExpectation>('version', 'leaf', 'epoch', 'old version', 'other leaf', 'old epoch'),
  );
  const some = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', ''), valueArbitrary(fc), { maxKeys: 2 });
  const createOf = (of: Arbitrary<number>): Arbitrary<StorageStep> =>
    fc.record({ do: fc.constant('create' as const), session: of, params: some, meta: some });
  const commit = commitArbitrary(fc, session, expect);
  const retry = fc.record({ do: fc.constant('retry' as const), session, back: fc.nat(3), expect });
  const remove = fc.record({ do: fc.constant('delete' as const), session, isStale: fc.boolean() });
  const steps = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: createOf(session) },
      { weight: 20, arbitrary: commit },
      { weight: 2, arbitrary: retry },
      { weight: 1, arbitrary: remove },
      { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
    ),
    { maxLength: 24, size: 'max' },
  );
  const first = fc.tuple(...Array.from({ length: SESSIONS }, (_, at) => createOf(fc.constant(at))));
  return fc.tuple(first, steps).map(([creates, rest]) => [...creates, ...rest]);
}

function commitArbitrary(
  fc: Fc,
  session: Arbitrary<number>,
  expect: Arbitrary<StepExpectation | undefined>,
): Arbitrary<StorageStep> {
  return fc.record({
    do: fc.constant('commit' as const),
    session,
    ops: fc.array(opArbitrary(fc), { maxLength: 5, size: 'max' }),
    expect,
    keepLeaf: fc.boolean(),
    idOf: rarely(fc, fc.nat(5), 20),
  });
}

function opArbitrary(fc: Fc): Arbitrary<StepOp> {
  const section = nameArbitrary(fc, STEP_SECTIONS);
  const [ref, data] = [refArbitrary(fc), dataArbitrary(fc)];
  const parent = rarely(fc, fc.option(ref, { nil: null }), 3);
  const again = rarely(fc, ref, 6);
  return fc.oneof(
    {
      weight: 60,
      arbitrary: fc.record({ op: fc.constant('node'), again, isSame: fc.boolean(), parent, section, data }),
    },
    { weight: 40, arbitrary: fc.oneof(...otherOps(fc)) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('reset') }) },
  );
}

function otherOps(fc: Fc): Arbitrary<StepOp>[] {
  const section = nameArbitrary(fc, STEP_SECTIONS);
  const [ref, data] = [refArbitrary(fc), dataArbitrary(fc)];
  const is = <Op extends string>(op: Op): Arbitrary<Op> => fc.constant(op);
  const object = fc.option(fc.dictionary(fc.constantFrom('x', 'y'), fc.nat(3), { maxKeys: 2 }), { nil: undefined });
  return [
    fc.record({ op: is('draft'), id: fc.nat(3), section, data: fc.option(data, { nil: null }) }),
    fc.record({ op: is('leaf'), to: fc.option(ref, { nil: null }) }),
    fc.record({ op: is('label'), target: ref, label: fc.option(nameArbitrary(fc, ['x', 'X', '']), { nil: null }) }),
    fc.record({ op: is('section'), name: section, policy: object, extra: object }).map(withoutUndefined),
    fc.record({ op: is('place'), id: ref, section }),
    fc.record({ op: is('drop'), ids: fc.array(ref, { maxLength: 5 }) }),
    fc.record({
      op: is('param'),
      key: nameArbitrary(fc, ['k', 'K', '__proto__']),
      value: fc.option(data, { nil: undefined }),
    }),
    fc.record({ op: is('meta'), patch: fc.dictionary(fc.constantFrom('t', 'T'), data, { maxKeys: 2 }) }),
  ];
}

/** Now and then undefined fields would be refused by exact types. */
function withoutUndefined<Fields extends object>(fields: Fields): StepOp {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as StepOp;
}

/** A node that is there; one of sixty is none. */
function refArbitrary(fc: Fc): Arbitrary<NodeRef> {
  return fc.oneof({ weight: 60, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.constant(-1) });
}

/** One of these; one of eighty is refused. */
function nameArbitrary(fc: Fc, names: readonly string[]): Arbitrary<string> {
  return fc.oneof(
    { weight: 80, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom('\u0000', '\ud800', 'x'.repeat(129)) },
  );
}

function valueArbitrary(fc: Fc): Arbitrary<JsonValue> {
  return fc.oneof(
    fc.constant(null),
    fc.nat(9),
    fc.string({ maxLength: 5 }),
    fc.constantFrom<JsonValue>('\u0000', '\ud800', [], {}),
  );
}

/** JSON; one of eighty cannot be stored. */
function dataArbitrary(fc: Fc): Arbitrary<JsonValue> {
  return fc.oneof(
    { weight: 80, arbitrary: valueArbitrary(fc) },
    { weight: 1, arbitrary: fc.constantFrom([Number.NaN] as JsonValue, [1n] as unknown as JsonValue) },
  );
}

/** Undefined, but for one of `times`. */
function rarely<T>(fc: Fc, arbitrary: Arbitrary<T>, times = 5): Arbitrary<T | undefined> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}
