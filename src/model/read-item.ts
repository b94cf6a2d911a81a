import { reject } from '../errors.ts';
import { isMessageShape } from '../input/message.ts';
import { isRecord } from '../schema/json.ts';
import { Message, type MessageInput } from './message.ts';
import { providesMessage } from './providers.ts';

/** Reads one item of a list of messages. In a list an object must say its role: it could be anything else. */
export function readItem(item: MessageInput, path: string): Message {
  if (item instanceof Message) return item;
  if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) {
    return reject(path, 'a message: text, or an object with a role and content (other types are no messages)', item);
  }
  if (isRecord(item) && !isMessageShape(item) && !providesMessage(item) && !isContentValue(item)) {
    return reject(path, 'a message with a role and content', item);
  }
  return Message.from(item, undefined, undefined, path);
}

function isContentValue(item: object): boolean {
  return 'toContentPart' in item || 'toExport' in item;
}
