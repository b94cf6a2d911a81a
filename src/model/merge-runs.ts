import { Message } from './message.ts';

/** How neighbours are merged. */
export interface MergeOptions {
  /** Whether a change of name also keeps neighbours apart. Default: no, the first one's name stays. */
  readonly splitOnName?: boolean;
}

/** The messages with runs of one role folded into one message each. */
export function mergeRuns(messages: Iterable<Message>, options: MergeOptions): Message[] {
  const merged: Message[] = [];
  let run: Message[] = [];
  const close = (): void => {
    if (run.length > 0) merged.push(run.length === 1 ? (run[0] as Message) : Message.folded(run));
  };
  for (const message of messages) {
    if (run.length > 0 && joins(run.at(-1) as Message, message, run[0] as Message, options)) {
      run.push(message);
    } else {
      close();
      run = [message];
    }
  }
  close();
  return merged;
}

function joins(last: Message, next: Message, first: Message, { splitOnName = false }: MergeOptions): boolean {
  return (
    last.role === next.role &&
    last.toolResult === undefined &&
    next.toolResult === undefined &&
    !(splitOnName && first.name !== next.name) &&
    !hasSignedReasoning(last) &&
    !hasSignedReasoning(next)
  );
}

/** Reasoning that its provider signed must go back exactly as it came, in the message in which it came. */
function hasSignedReasoning(message: Message): boolean {
  if (message.content.plainText !== undefined) return false;
  for (const part of message.content.parts)
    if (part.type === 'reasoning' && part.origin?.data !== undefined) return true;
  return false;
}
