import { reject } from '../errors.ts';
import { MessageStore } from '../model/message-store.ts';
import type { MessagesInput } from '../model/messages.ts';
import type { CanRenderMessages } from '../model/providers.ts';
import { Sections } from '../model/sections.ts';
import { Assembly } from './assembly.ts';
import { AssemblyReport, type UnusedNames } from './assembly-report.ts';
import { fitSlots } from './fit-slots.ts';
import { renderSlots, type TemplateValues } from './render-slots.ts';
import { type FitOptions, roomOf } from './room.ts';
import { type Slot, type SlotOptions, slotsOf, spoken } from './slot.ts';
import { templateRenderer } from './template-renderer.ts';

const RENDERER_EXPECTED = 'a renderer (liquidRenderer() gives a promise of one: await it)';

/** How templates are filled in. */
export interface RenderOptions extends Pick<SlotOptions, 'policies'> {
  /** What templates are filled with, over the parameters of the store. */
  readonly values?: TemplateValues | undefined;
  /** What fills templates. Default: {@link templateRenderer}, which knows `{{name}}` and throws where a value is missing. */
  readonly renderer?: CanRenderMessages | undefined;
}

/** How a prompt is assembled. */
export interface AssembleOptions extends SlotOptions, RenderOptions, FitOptions {}

/**
 * The prompt of a store: its sections in the order asked, templates filled in, what does not fit the budget left out in
 * whole exchanges, and the places marked where the provider's prompt cache may end. The same store and options give the
 * same prompt. Linear in the messages of its sections; each part is counted once as long as it lives.
 *
 * @throws MessageStoreError `missing_variable` where a template needs a value that is not there
 * @throws BudgetError `budget_impossible` where what must go out does not fit
 * @throws InvalidInputError `invalid_policy` where a section's policy is none; and naming what is wrong with the options
 *
 * @example
 * const store = MessageStore.empty()
 *   .section('chat').appendMessages(['How are you?', { role: 'assistant', content: 'Fine.' }, 'And now?'])
 *   .section('system').appendMessages({ role: 'system', content: 'You are {{name}}.' });
 * const { messages } = assemble(store, { sections: ['system', 'chat'], values: { name: 'Ada' }, budget: 20 });
 * messages.map(String) // => ['You are Ada.', 'And now?']
 */
export function assemble(store: MessageStore, options: AssembleOptions = {}): Assembly {
  return assembled(store, rendered(store, options), options);
}

/**
 * What of a store, or of messages, fits a budget, without filling in templates: see {@link assemble}.
 *
 * @throws BudgetError `budget_impossible` where what must stay does not fit
 *
 * @example
 * fit(['What is 2 + 2?', { role: 'assistant', content: '4' }, 'Thanks!'], { budget: 14 }).messages.map(String) // => ['4', 'Thanks!']
 */
export function fit(input: MessageStore | MessagesInput, options: SlotOptions & FitOptions = {}): Assembly {
  const store = input instanceof MessageStore ? input : MessageStore.fromMessages(input);
  return assembled(store, slotsOf(store, options), options);
}

function assembled(store: MessageStore, slots: readonly Slot[], options: SlotOptions & FitOptions): Assembly {
  const room = roomOf(options);
  const fitted = fitSlots(slots.map(spoken), room);
  return Assembly.of(new AssemblyReport(fitted, room, unusedNames(store, slots, options)));
}

function unusedNames({ sections }: MessageStore, slots: readonly Slot[], options: SlotOptions): UnusedNames {
  const names = new Set(slots.map(({ name }) => name));
  const unused = sections.filter((section) => !names.has(section.name) && !section.isEmpty()).names();
  const meant = new Set(Object.keys({ ...options.policies, ...options.headings }));
  return { unused, unknown: [...meant].filter((name) => !sections.has(name)) };
}

/**
 * The store with its templates filled in, and nothing else changed: see {@link assemble}. Go on with {@link fit}: to assemble
 * it would read the values as templates.
 *
 * @throws MessageStoreError `missing_variable` where a template needs a value that is not there
 *
 * @example
 * const store = MessageStore.fromMessages({ role: 'system', content: 'You are {{name}}.' }, 'system');
 * renderTemplates(store, { values: { name: 'Ada' } }).toMessages().map(String) // => ['You are Ada.']
 */
export function renderTemplates(store: MessageStore, options: RenderOptions = {}): MessageStore {
  const slots = rendered(store, options);
  const sections = store.sections.map((section, at) => section.withMessages((slots[at] as Slot).messages));
  return store.withSections(Sections.distinct(sections));
}

function rendered(
  store: MessageStore,
  { renderer = templateRenderer(), values = {}, ...options }: AssembleOptions,
): Slot[] {
  if (typeof renderer.renderMessages !== 'function') reject('renderer', RENDERER_EXPECTED, renderer);
  return renderSlots(slotsOf(store, options), renderer, { ...store.parameters().get().toJSON(), ...values });
}
