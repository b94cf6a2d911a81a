/** Making a message from text, a new id and the time included. */
import { HumanMessage } from '@langchain/core/messages';
import { v7 } from 'uuid';
import { compare } from '../harness/compare.ts';
import { done, line } from '../harness/lines.ts';
import { core } from '../harness/product.ts';
import { conversation } from '../harness/workload.ts';

const { Message } = core;
const COUNT = 256;
const texts = conversation(COUNT).map(({ content }) => (typeof content === 'string' ? content : 'Hello!'));
const made = new Array<unknown>(COUNT);

/** The results are kept, so that no construction is optimised away. */
const each = (make: (text: string) => unknown) => () => {
  for (let at = 0; at < COUNT; at++) made[at] = make(texts[at] as string);
};

class Plain {
  readonly id: string;
  readonly text: string;
  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
    Object.freeze(this);
  }
}

const results = await compare('make a message', {
  baseline: 'frozen class',
  ops: COUNT,
  unit: 'message',
  cases: {
    'frozen class': each((text) => new Plain('id', text)),
    'Message.of({ role, content })': each((text) => Message.of({ role: 'user', content: text })),
    'Message.from(text)': each((text) => Message.from(text)),
    'Message.asUser(text)': each((text) => Message.asUser(text)),
    'Message.from({ role, content })': each((text) => Message.from({ role: 'user', content: text })),
    'LangChain, its id given': each((text) => new HumanMessage({ id: 'id', content: text })),
    'LangChain, with a uuid': each((text) => new HumanMessage({ id: v7(), content: text })),
  },
});
for (const name of ['Message.of({ role, content })', 'Message.from(text)', 'Message.asUser(text)'])
  line(`make a message, id and time included: ${name}`, results[name]?.ns ?? NaN, 1500, 'ns');
done();
