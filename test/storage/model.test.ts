import { fc } from '@fast-check/vitest';
import { storageModel } from 'message-store/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type PlaceUnderTest, storages } from './harnesses.ts';

const TIMEOUT = 900_000;
const { steps, compare } = storageModel(fc);

describe.each(storages.filter(({ available }) => available === true))('storage: $name', ({ make, sequences = 100 }) => {
  let place: PlaceUnderTest;
  beforeAll(async () => {
    place = await make();
  }, TIMEOUT);
  afterAll(async () => place.cleanup?.(), TIMEOUT);

  it('answers every sequence of calls as the storage in memory does', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => compare(place, calls)),
      { numRuns: sequences },
    );
  });
});
