import type { Claim } from './claim.ts';

/**
 * How many tokens each slot gets beside what must stay of it. Slots with a budget of their own get that first, as far
 * as they need it; then those without one; what is still left goes to those with a share that need more. The later slot
 * is served first, since it holds what is newer. With more room no slot gets less.
 */
export function shareRoom(claims: readonly Claim[], free: number, all: number): readonly number[] {
  const rooms = claims.map(() => 0);
  let left = free;
  const serve = (isServed: (claim: Claim) => boolean, mostOf: (claim: Claim) => number): void => {
    for (let at = claims.length - 1; at >= 0; at--) {
      const claim = claims[at] as Claim;
      if (!isServed(claim)) continue;
      const before = rooms[at] as number;
      const room = claim.restWithin(Math.min(before + left, mostOf(claim)));
      left -= room - before;
      rooms[at] = room;
    }
  };
  serve(hasBudget, (claim) => claim.cap ?? shareOfAll(claim, all));
  serve(
    (claim) => !hasBudget(claim),
    () => Number.POSITIVE_INFINITY,
  );
  serve(
    ({ share }) => share !== undefined,
    () => Number.POSITIVE_INFINITY,
  );
  return rooms;
}

function hasBudget({ cap, share }: Claim): boolean {
  return cap !== undefined || share !== undefined;
}

function shareOfAll({ share = 0, must }: Claim, all: number): number {
  return share === 0 ? 0 : Math.max(all * share - must, 0);
}
