import type { Message } from '../../src/index.ts';
import type { Accumulator, Decoded } from '../../src/formats/openai-chat/index.ts';

/** The messages that were read, without their ids and times. */
export function said({ messages }: Decoded): unknown[] {
  return messages.map((message) => ({ ...message.toJSON(), id: undefined, createdAt: undefined }));
}

/** What is read from these events. */
export function streamed(start: () => Accumulator<never>, events: readonly unknown[]): Decoded {
  return shownAndFinished(start, events).decoded;
}

/** What is read from these events, and what is shown after each of them; by default its text. */
export function shownAndFinished<Shown = string>(
  start: () => Accumulator<never>,
  events: readonly unknown[],
  show: (message: Message) => Shown = (message) => message.toString() as Shown,
): { readonly shown: Shown[]; readonly decoded: Decoded } {
  const answer = start();
  const shown = events.map((event) => {
    answer.push(event as never);
    return show(answer.message());
  });
  return { shown, decoded: answer.finish() };
}
