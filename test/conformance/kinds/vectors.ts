import { readFileSync } from 'node:fs';
import { MessageStoreError } from '../../../src/index.ts';
import { type Outcome, plain, satisfies } from '../compare.ts';
import { applies, type Deviation, readDeviations, type Vector } from '../deviations.ts';
import { type Context, type Result, show } from '../result.ts';
import { scope } from '../scope.ts';

type Call = (...values: readonly unknown[]) => Promise<unknown>;

const AsyncFunction = (async () => {}).constructor as new (...source: readonly string[]) => Call;

/** Runs calls in the reference's words against the library; `deviations.json` names what comes out otherwise, and why. */
export async function* run(files: readonly string[], { isOwn }: Context): AsyncGenerator<Result> {
  const deviations = readDeviations();
  const used = new Set<Deviation>();
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    for (const vector of JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[])
      yield await judge(vector, deviations, used);
  }
  if (isOwn) yield* stale(deviations.filter((deviation) => !used.has(deviation)));
}

async function judge(vector: Vector, deviations: readonly Deviation[], used: Set<Deviation>): Promise<Result> {
  const { area, id, expected } = vector;
  const skipped = (deviation: Deviation): Result => {
    used.add(deviation);
    return { area, id, status: 'skipped', reason: deviation.reason };
  };
  const notYet = deviations.find((deviation) => deviation.run === false && applies(deviation, vector, ''));
  if (notYet) return skipped(notYet);

  const outcome = await perform(vector);
  const got = 'value' in outcome ? outcome.value : outcome.error;
  const deviation = deviations.find((entry) => entry.run !== false && applies(entry, vector, show(got)));
  if (!accepts(vector, outcome)) return deviation ? skipped(deviation) : { area, id, status: 'failed', expected, got };
  if (deviation?.vector === undefined) return { area, id, status: 'passed' };
  used.add(deviation);
  return { area, id, status: 'failed', reason: 'is listed as a deviation, but passes' };
}

async function perform({ call, input }: Vector): Promise<Outcome> {
  try {
    const run = new AsyncFunction('input', ...Object.keys(scope), call);
    return { value: await plain(await run(structuredClone(input), ...Object.values(scope))) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Either value will do where a difference is a matter of taste. */
function accepts({ expected, tolerant, php_value }: Vector, outcome: Outcome): boolean {
  const values = tolerant === true && php_value !== undefined ? [expected, php_value] : [expected];
  return values.some((value) => satisfies(value, outcome, (error) => MessageStoreError.isInstance(error)));
}

function* stale(unused: readonly Deviation[]): Generator<Result> {
  for (const { reason, ...named } of unused) {
    yield {
      area: 'deviations',
      id: JSON.stringify(named),
      status: 'failed',
      reason: `no vector deviates this way: ${reason}`,
    };
  }
}
