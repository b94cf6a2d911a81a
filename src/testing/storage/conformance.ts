import { basics } from './basics.ts';
import { concurrency } from './concurrency.ts';
import { extras } from './extras.ts';
import { forks } from './forks.ts';
import type { StorageCase } from './harness.ts';
import { names } from './names.ts';
import { processes } from './processes.ts';
import { reading } from './reading.ts';
import { retries } from './retries.ts';
import { scale } from './scale.ts';
import { tree } from './tree.ts';
import { values } from './values.ts';

/**
 * Every promise of a storage of sessions that can be told by using it, as data for any test runner: loop over the
 * cases, skip those that {@link missingNeeds} names, and run the others.
 *
 * What needs a look at the files or tables, or a fault made on purpose, is not here: crashes, full disks, power cuts
 * and cut connections, damaged and foreign files. Those are tested storage by storage.
 *
 * @example
 * for (const one of storageConformance) {
 *   const place = { open: async () => memoryStorage() };
 *   if (missingNeeds(one, place).length === 0) await one.run(place);
 * }
 */
export const storageConformance: readonly StorageCase[] = Object.freeze([
  ...basics,
  ...reading,
  ...tree,
  ...forks,
  ...extras,
  ...values,
  ...names,
  ...concurrency,
  ...processes,
  ...retries,
  ...scale,
]);
