import { missingNeeds, storageConformance } from 'message-store/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { PlaceUnderTest, StorageUnderTest } from './harnesses.ts';

const TIMEOUT = 900_000;

/** The cases that say more at a place that nobody has used yet. */
const isFirstUse = ({ id }: { readonly id: string }) => id.startsWith('s3-39');

/** Runs the whole suite on these storages; each case that is skipped is named with what it lacks. */
export function runConformance(given: readonly StorageUnderTest[]): void {
  const here = given.filter(({ available }) => available === true);
  const elsewhere = given.filter((one) => !here.includes(one));

  it.for(elsewhere)('storage: $name cannot be tested here', ({ available }, { skip }) => skip(String(available)));

  describe.each(here)('storage: $name', ({ name, make }) => {
    const skipped: string[] = [];
    let place: PlaceUnderTest;

    beforeAll(async () => {
      place = await make();
    }, TIMEOUT);

    afterAll(async () => {
      await place.cleanup?.();
      if (skipped.length > 0)
        console.info(
          `${name}: ${skipped.length} of ${storageConformance.length} cases skipped\n  ${skipped.join('\n  ')}`,
        );
    }, TIMEOUT);

    it.for(storageConformance)('$id $title', { timeout: TIMEOUT }, async (one, { skip }) => {
      const missing = missingNeeds(one, place);
      if (missing.length > 0) {
        skipped.push(`${one.id} ${one.title}: the place has no ${missing.join(', ')}`);
        skip(`needs ${missing.join(', ')}`);
      }
      if (!isFirstUse(one)) return one.run(place);
      const own = await make();
      await one.run(own);
      await own.cleanup?.();
    });
  });
}
