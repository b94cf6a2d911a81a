import type { Making } from './encode-message.ts';
import type { BedrockBlock, BedrockResultBlock } from './wire.ts';

type List = (BedrockBlock | BedrockResultBlock)[];

/** "You can include up to 20 images" and "up to five documents" in a message (`@aws-sdk/client-bedrock-runtime`, Message). */
const MOST = { image: 20, document: 5 } as const;

/** What stands beside a document of which nothing is said. */
const NO_WORDS = '(no message)';

/** Keeps the lists of blocks of a request within what the wire allows. */
export function limitBlocks(lists: readonly List[], making: Making): void {
  for (const list of lists) {
    limitMedia(list, { image: 0, document: 0 }, making);
    addWords(list, making);
  }
  limitCachePoints(lists, making);
}

/** Images and documents beyond the limit of their message leave a note. */
function limitMedia(list: List, counts: { image: number; document: number }, making: Making): void {
  list.forEach((block, at) => {
    if ('toolResult' in block) return limitMedia(block.toolResult.content, counts, making);
    const kind = 'image' in block ? 'image' : 'document' in block ? 'document' : undefined;
    if (kind === undefined || ++counts[kind] <= MOST[kind]) return;
    making.report.lose(
      pathOf(block, making),
      'media-limit',
      'degraded',
      `more than ${MOST[kind]} ${kind}s in a message`,
    );
    list[at] = { text: `[${kind}, not sent]` };
  });
}

/** "If you include a ContentBlock with a document, you must also include a ContentBlock with a text" (the same). */
function addWords(list: List, making: Making): void {
  const document = list.find((block) => 'document' in block);
  if (document === undefined || list.some((block) => 'text' in block)) return;
  making.report.repair(pathOf(document, making), 'document-words', 'added', `no text beside a document: "${NO_WORDS}"`);
  list.push({ text: NO_WORDS });
}

/** Leaves only the last cache points, as many as a request may have. */
function limitCachePoints(lists: readonly List[], making: Making): void {
  const { cachePoints: limit = 4 } = making.options;
  let left = lists.reduce((count, list) => count + list.filter(isCachePoint).length, 0);
  for (const list of lists)
    for (let at = 0; left > limit && at < list.length; at++) {
      const block = list[at] as BedrockBlock;
      if (!isCachePoint(block)) continue;
      making.report.lose(pathOf(block, making), 'cache-points', 'dropped', `more than ${limit} cache points: left out`);
      list.splice(at--, 1);
      left--;
    }
}

function isCachePoint(block: BedrockBlock | BedrockResultBlock): boolean {
  return 'cachePoint' in block;
}

function pathOf(block: object, { places }: Making): string {
  return places.get(block) ?? 'messages';
}
