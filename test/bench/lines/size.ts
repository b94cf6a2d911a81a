/** What an application's bundle grows by: minified and gzipped, with immer, zod and uuid. */
import { gzippedKB } from '../harness/bundle.ts';
import { done, line } from '../harness/lines.ts';
import { built, ROOT } from '../harness/product.ts';

const use = (names: string, file: string): string =>
  `export { ${names} } from ${JSON.stringify(built(file).pathname)};`;
const CORE = use('MessageStore', 'index.js');
const CHAT = use('openaiChat', 'formats/openai-chat/index.js');

/** What formats share with a program that keeps its tool turns in order. */
const TURNS = use('repair, validate', 'index.js');

const core = await gzippedKB(CORE, ROOT);
const withTurns = await gzippedKB(CORE + TURNS, ROOT);
const withChat = await gzippedKB(CORE + TURNS + CHAT, ROOT);
const sizes: Record<string, number> = {
  'message-store: { MessageStore }': core,
  'message-store: { MessageStore, repair, validate }': withTurns,
  'message-store: { MessageStore, repair, validate } and openai-chat': withChat,
  'zod/mini': await gzippedKB(
    "import * as z from 'zod/mini'; console.log(z.object({ a: z.string() }).parse({ a: '' }));",
  ),
  immer: await gzippedKB("import { produce } from 'immer'; console.log(produce([1], (draft) => { draft.push(2); }));"),
  uuid: await gzippedKB("import { v7 } from 'uuid'; console.log(v7());"),
  'LangChain messages': await gzippedKB("export { HumanMessage, mergeMessageRuns } from '@langchain/core/messages';"),
  'AI SDK 7: { convertToModelMessages }': await gzippedKB("export { convertToModelMessages } from 'ai-v7';"),
};
console.log('\n### bundles, minified and gzipped\n\n| program | KB |\n|---|---|');
for (const [name, size] of Object.entries(sizes)) console.log(`| ${name} | ${size.toFixed(1)} |`);
line('bundle of { MessageStore }', core, 30, 'KB');
line('openai-chat on top of it, repair and validate counted apart', withChat - withTurns, 8, 'KB');
done();
