import type { BedrockCachePointBlock } from './wire.ts';

/**
 * Lets each cache point of the instructions live as long as those behind it, since Bedrock wants longer lifetimes first,
 * over instructions and messages; `tell` hears of each that is changed.
 */
export function lengthenPoints(
  instructions: readonly BedrockCachePointBlock[],
  behind: readonly BedrockCachePointBlock[],
  tell: (point: BedrockCachePointBlock) => void,
): void {
  const lastLong = [...instructions, ...behind].findLastIndex(({ cachePoint }) => cachePoint.ttl === '1h');
  for (const point of instructions.slice(0, Math.max(0, lastLong))) {
    if (point.cachePoint.ttl === '1h') continue;
    point.cachePoint = { type: 'default', ttl: '1h' };
    tell(point);
  }
}
