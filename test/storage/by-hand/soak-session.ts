/** One session under mixed load, by two instances over one place, beside a model of it in memory. */
import { type Message, removeMessage, replaceMessage, type Sessions } from '../../../src/index.ts';
import { scanAll } from '../../../src/storage/read-nodes.ts';

const SECTION = 'chat';
const FULL = 600;
const TEXT = 'x'.repeat(300);

/** Each step, and how often it comes. */
const STEPS: readonly [step: (session: SoakSession) => Promise<void>, weight: number][] = [
  [(session) => session.appendBoth(), 50],
  [(session) => session.appendMany(), 15],
  [(session) => session.readPath(), 15],
  [(session) => session.load(), 6],
  [(session) => session.branch(), 6],
  [(session) => session.list(), 4],
  [(session) => session.fork(), 2],
  [(session) => session.save(), 2],
];
const DRAWN = STEPS.flatMap(([step, weight]) => Array<typeof step>(weight).fill(step));

function expectTrue(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

export class SoakSession {
  readonly #id: string;
  readonly #instances: readonly [Sessions, Sessions];
  /** The texts of all messages that were acknowledged and not removed, by their ids. */
  readonly #texts = new Map<string, string>();
  #written = 0;
  /** How many calls were made. */
  calls = 0;

  constructor(id: string, instances: readonly [Sessions, Sessions]) {
    this.#id = id;
    this.#instances = instances;
  }

  get size(): number {
    return this.#texts.size;
  }

  async create(): Promise<void> {
    await this.#call((sessions) => sessions.createSession(this.#id));
  }

  /** One step, drawn by lot; a session that is full is deleted and created again first. */
  async step(): Promise<void> {
    if (this.size >= FULL) await this.#renew();
    await DRAWN[Math.floor(Math.random() * DRAWN.length)]!(this);
  }

  /** Both instances at once. */
  async appendBoth(): Promise<void> {
    this.calls += 2;
    const both = this.#instances.map((sessions) => sessions.append(this.#id, SECTION, this.#newText()));
    this.#keep(await Promise.all(both));
  }

  async appendMany(): Promise<void> {
    const texts = Array.from({ length: 5 }, () => this.#newText());
    this.#keep(await this.#call((sessions) => sessions.appendMany(this.#id, SECTION, texts)));
  }

  async readPath(): Promise<void> {
    const leaf = await this.#call((sessions) => sessions.getLeafId(this.#id));
    const path = [...(await this.#call((sessions) => sessions.getPath(this.#id, undefined, { limit: 20 })))];
    expectTrue(path.at(-1)?.id === leaf && path.length <= 20, `${this.#id}: the path does not end in the leaf`);
    this.#expectKnown(path);
  }

  async load(): Promise<void> {
    const store = await this.#call((sessions) => sessions.load(this.#id, { pathOnly: true }));
    this.#expectKnown([...store.toMessages()]);
  }

  /** A branch beside the last messages, which the other instance removes again, or which goes on. */
  async branch(): Promise<void> {
    const path = [...(await this.#call((sessions) => sessions.getPath(this.#id, undefined, { limit: 10 })))];
    const leaf = path.at(-1);
    if (leaf === undefined || path.length < 2) return;
    await this.#call((sessions) => sessions.navigateTo(this.#id, path[0]!.id));
    const texts = [this.#newText(), this.#newText()];
    const added = [...(await this.#call((sessions) => sessions.appendMany(this.#id, SECTION, texts)))];
    this.#keep(added);
    if (Math.random() < 0.3) return;
    await this.#call((sessions) => sessions.deleteBranch(this.#id, added.at(-1)!.id));
    for (const { id } of added) this.#texts.delete(id);
    await this.#call((sessions) => sessions.navigateTo(this.#id, leaf.id));
  }

  async list(): Promise<void> {
    const { items } = await this.#call((sessions) => sessions.listSessions({ prefix: this.#id, limit: 50 }));
    const head = items.find(({ id }) => id === this.#id);
    expectTrue(head?.nodeCount === this.size, `${this.#id}: ${head?.nodeCount} listed, ${this.size} acknowledged`);
  }

  async fork(): Promise<void> {
    const fork = await this.#call((sessions) => sessions.fork(this.#id, undefined, { whole: true }));
    const head = await this.#call((sessions) => sessions.getHead(fork));
    expectTrue(head?.nodeCount === this.size, `${this.#id}: ${head?.nodeCount} forked, ${this.size} acknowledged`);
    expectTrue(await this.#call((sessions) => sessions.delete(fork)), `${fork}: it was not there to be deleted`);
  }

  /** Everything as it is, but one message changed and one left out. */
  async save(): Promise<void> {
    const [sessions] = this.#drawn();
    this.calls += 2;
    const store = await sessions.load(this.#id);
    const [first, second] = store.toMessages();
    if (first === undefined || second === undefined) return;
    const text = this.#newText();
    const edited = store.pipe(removeMessage(first.id)).pipe(replaceMessage(second.id, second.withContent(text)));
    await sessions.save(this.#id, edited);
    this.#texts.delete(first.id);
    this.#texts.set(second.id, text);
  }

  /** What an instance finds otherwise than the model has it. */
  async differences(sessions: Sessions): Promise<{ readonly lost: number; readonly strange: number }> {
    const nodes = await scanAll(sessions.storage, this.#id, { section: SECTION });
    const stored = new Map(
      [...(await sessions.load(this.#id)).toMessages()].map((message) => [message.id as string, message]),
    );
    const isThere = ([id, text]: [string, string]) => stored.has(id) && String(stored.get(id)!) === text;
    const lost = [...this.#texts].filter((entry) => !isThere(entry)).length;
    const unknown = nodes.filter(({ id }) => !this.#texts.has(id)).length;
    return { lost, strange: unknown + nodes.length - new Set(nodes.map(({ id }) => id)).size };
  }

  async #renew(): Promise<void> {
    for (const sessions of this.#instances) {
      const { lost, strange } = await this.differences(sessions);
      expectTrue(lost + strange === 0, `${this.#id}: ${lost} lost, ${strange} strange`);
    }
    await this.#call((sessions) => sessions.delete(this.#id));
    this.#texts.clear();
    await this.create();
  }

  #drawn(): readonly [Sessions, Sessions] {
    const [a, b] = this.#instances;
    return Math.random() < 0.5 ? [a, b] : [b, a];
  }

  async #call<T>(use: (sessions: Sessions) => Promise<T>): Promise<T> {
    this.calls++;
    return use(this.#drawn()[0]);
  }

  #newText(): string {
    return `${++this.#written} ${TEXT}`;
  }

  #keep(messages: Iterable<Message>): void {
    for (const message of messages) this.#texts.set(message.id, String(message));
  }

  #expectKnown(messages: readonly Message[]): void {
    const isKnown = (message: Message) => this.#texts.get(message.id) === String(message);
    expectTrue(messages.every(isKnown), `${this.#id}: a message that nobody wrote, or another text`);
  }
}
