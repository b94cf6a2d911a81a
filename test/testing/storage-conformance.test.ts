import { fc } from '@fast-check/vitest';
import { memoryStorage, type SessionStorage } from 'message-store';
import {
  missingNeeds,
  runStorageProgram,
  type StorageCase,
  storageConformance,
  type StorageHarness,
  storageModel,
} from 'message-store/testing';
import { describe, expect, it } from 'vitest';
import { instanceOver, memoryHarness } from '../storage/harnesses.ts';
import { spawnScript } from '../storage/spawn.ts';
import { type BrokenStorage, brokenStorages } from './broken-storages.ts';

const caseOf = (id: string): StorageCase => storageConformance.find((one) => one.id === id)!;

/** A place where other processes are feigned: their programs run in this one, over instances of their own. */
function feigned(open: () => SessionStorage): StorageHarness {
  return {
    open: async () => open(),
    can: { reopen: true, scale: true },
    spawn(program, args) {
      const own = open();
      return { result: runStorageProgram(program, own, args), kill: () => void own[Symbol.asyncDispose]() };
    },
  };
}

function brokenHarness(breaks: BrokenStorage['breaks']): StorageHarness {
  const real = memoryStorage();
  let count = 0;
  return feigned(() => {
    const own = instanceOver(real);
    return Object.assign(Object.create(own) as SessionStorage, breaks(own, count++));
  });
}

describe('the conformance suite', () => {
  it('has a number of its own for each case, in the order of the suite', () => {
    const ids = storageConformance.map(({ id }) => id);
    expect(ids.filter((id) => !/^s[1-7]-\d\d[a-z]?$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('asks for nothing that a storage in memory does not have, save where it says so', async () => {
    const plain = { open: async () => memoryStorage() };
    for (const one of storageConformance) if (missingNeeds(one, plain).length === 0) await one.run(plain);
    expect(missingNeeds(caseOf('s1-11b'), plain)).toEqual(['reopen']);
    expect(missingNeeds(caseOf('s3-33a'), plain)).toEqual(['processes']);
    expect(missingNeeds(caseOf('s7-72'), plain)).toEqual(['scale']);
  });

  const inProcesses = storageConformance.filter(({ needs }) => needs.includes('processes'));
  it.each(inProcesses)('passes where other processes are feigned: $id', async (one) => {
    await one.run(brokenHarness(() => ({})));
  });

  it('finds nothing broken in a storage that breaks nothing', async () => {
    const whole = brokenHarness(() => ({}));
    for (const one of storageConformance) if (!one.needs.includes('processes')) await one.run(whole);
  });

  it('runs its programs in other processes, and ends them', async () => {
    const script = new URL('../storage/program.ts', import.meta.url);
    const inMemory = (...args: readonly string[]) => spawnScript(script, ['memory', '', '', ...args]);
    expect(await inMemory('create', 's').result).toBe(1);
    await expect(inMemory('append', 'unknown', 'a', '1', '1').result).rejects.toThrow('NOT_FOUND');
    const blocked = inMemory('rubbish');
    blocked.kill();
    await expect(blocked.result).rejects.toThrow('ended with null');
  });

  it('refuses to run a program that it does not have', async () => {
    await expect(runStorageProgram('rubbish', memoryStorage(), [])).rejects.toThrow('rubbish');
  });
});

describe('a storage that', () => {
  const each = brokenStorages.flatMap(({ defect, cases, breaks }) => cases.map((id) => ({ defect, id, breaks })));

  it.each(each)('$defect is found by $id', { timeout: 300_000 }, async ({ id, breaks }) => {
    const error: unknown = await caseOf(id)
      .run(brokenHarness(breaks))
      .then(
        () => 'the case passed',
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).not.toBe('');
  });

  it('breaks a promise is told in a sentence', async () => {
    const deletesNothing = brokenHarness(() => ({ delete: async () => true }));
    await expect(caseOf('s1-01').run(deletesNothing)).rejects.toThrow(/^head after delete: expected null, got \{/);
  });
});

describe('the model', () => {
  const { steps, compare } = storageModel(fc);
  const failing = async (breaks: BrokenStorage['breaks']) =>
    fc.check(
      fc.asyncProperty(steps, async (calls) => compare(brokenHarness(breaks), calls)),
      { numRuns: 200, endOnFailure: true },
    );

  it('finds no difference between a storage in memory and another one', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => compare(memoryHarness(), calls)),
      { numRuns: 50 },
    );
  });

  const found = [
    'drops nothing',
    'ignores what is expected',
    'knows no commit again',
    'deletes nothing',
    'keeps no drafts',
    'knows one path only',
    'moves the leaf always',
    'knows one section a node',
    'takes every node for a leaf',
    'keeps all through a reset',
    'takes null for nothing',
    'limits a path before it chooses the section',
  ];
  it.each(brokenStorages.filter(({ defect }) => found.includes(defect)))(
    'finds a storage that $defect',
    async ({ breaks }) => {
      expect((await failing(breaks)).failed).toBe(true);
    },
  );
});
