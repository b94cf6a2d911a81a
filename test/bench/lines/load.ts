/** From JSON text to validated values: against `JSON.parse` of the same text. */
import { mapStoredMessagesToChatMessages } from '@langchain/core/messages';
import { safeValidateUIMessages as safeValidate6 } from 'ai';
import { safeValidateUIMessages as safeValidate7 } from 'ai-v7';
import * as z from 'zod';
import { compare, rounds } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { toLangChain, toUI } from '../harness/peers.ts';
import { core } from '../harness/product.ts';
import { conversation, storeJSON } from '../harness/workload.ts';

const { MessageStore } = core;

/** The same shape in zod's usual build, and the plainest class that holds it. */
const part = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(part)]);
const message = z.looseObject({
  id: z.string().min(1),
  createdAt: z.iso.datetime(),
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  tool_calls: z.optional(
    z.array(z.looseObject({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  ),
  tool_result: z.optional(
    z.looseObject({ content, call_id: z.string(), tool_name: z.string(), is_error: z.boolean() }),
  ),
  _metadata: z.optional(z.record(z.string(), z.unknown())),
});
const schema = z.looseObject({ sections: z.array(z.looseObject({ name: z.string(), messages: z.array(message) })) });
const compiled = z.compile(schema);
class Plain {
  readonly fields: unknown;
  constructor(fields: unknown) {
    this.fields = fields;
  }
}
const classes = (store: z.infer<typeof schema>) =>
  store.sections.map((section) => section.messages.map((one) => new Plain(one)));

const OWN = 'JSON.parse';
const UI = 'JSON.parse, AI SDK';
const STORED = 'JSON.parse, LangChain';
for (const size of [1000, 10_000]) {
  const json = conversation(size);
  const text = JSON.stringify(storeJSON(json));
  const value: unknown = JSON.parse(text);
  const uiText = JSON.stringify(toUI(json));
  const storedText = JSON.stringify(toLangChain(json).map((one) => one.toDict()));
  const results = await compare(`load, ${size}`, {
    baseline: OWN,
    ops: size,
    unit: 'message',
    rounds: rounds(11),
    minMs: 30,
    keep: size < 10_000,
    cases: {
      [OWN]: () => JSON.parse(text) as unknown,
      'MessageStore.parse': () => MessageStore.parse(text),
      'MessageStore.parse, and every message read': () => MessageStore.parse(text).toMessages(),
      'MessageStore.fromJSON': () => MessageStore.fromJSON(value),
      'zod 4: parse + class': () => classes(schema.parse(JSON.parse(text))),
      'zod 4, compiled: parse + class': () => classes(compiled.parse(JSON.parse(text)) as z.infer<typeof schema>),
      [UI]: () => JSON.parse(uiText) as unknown,
      'AI SDK 7: parse + validate': {
        isAsync: true,
        baseline: UI,
        run: () => safeValidate7({ messages: JSON.parse(uiText) as unknown }),
      },
      'AI SDK 6: parse + validate': {
        isAsync: true,
        baseline: UI,
        run: () => safeValidate6({ messages: JSON.parse(uiText) as unknown }),
      },
      [STORED]: () => JSON.parse(storedText) as unknown,
      'LangChain: parse + classes, nothing validated': {
        baseline: STORED,
        run: () => mapStoredMessagesToChatMessages(JSON.parse(storedText) as never),
      },
    },
  });
  line(`MessageStore.parse of ${size}, to JSON.parse`, results['MessageStore.parse']?.ratio ?? NaN, 1.6, '×', size);
  line(`MessageStore.fromJSON of ${size}, to JSON.parse`, results['MessageStore.fromJSON']?.ratio ?? NaN, 3, '×', size);
}
done();
