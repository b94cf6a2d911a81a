import { InvalidInputError } from '../../errors.ts';
import { joinPath } from '../../internal/path.ts';
import { Message, type MessageInput } from '../../model/message.ts';
import { MessageRole } from '../../model/message-role.ts';
import { MessageStore } from '../../model/message-store.ts';
import { Messages } from '../../model/messages.ts';
import { Section } from '../../model/section.ts';
import { isRecord, type JsonObject } from '../../schema/json.ts';

const KEYS = ['sections', 'parameters', 'policies'];

/**
 * The store of a prompt file: `sections` maps names to text or to a list of messages, each of them text, a
 * `role: text` pair, or a full message; `parameters` and `policies` (by section) may stand beside it. Text alone is
 * a system message in the sections `system` and `developer`, a user message elsewhere.
 *
 * @throws InvalidInputError naming the path of what cannot be read
 */
export function promptStore(file: unknown): MessageStore {
  if (!isRecord(file) || !isRecord(file['sections'])) {
    throw new InvalidInputError({
      path: '',
      expected: 'a prompt file (sections by name), a store document, or OpenAI chat messages',
      value: file,
    });
  }
  refuseOtherKeys(file);
  const { sections, parameters, policies } = file;
  const read = Object.entries(sections as JsonObject).map(([name, messages]) => readSection(name, messages, policies));
  return MessageStore.fromSections(...read)
    .parameters()
    .withParams((parameters ?? {}) as JsonObject);
}

function refuseOtherKeys(file: Record<string, unknown>): void {
  const other = Object.keys(file).find((key) => !KEYS.includes(key));
  if (other !== undefined) {
    throw new InvalidInputError({
      path: other,
      expected: `only the keys ${KEYS.join(', ')} in a prompt file`,
      value: file[other],
    });
  }
}

function readSection(name: string, messages: unknown, policies: unknown): Section {
  const path = joinPath('sections', name);
  const role = name === 'system' || name === 'developer' ? name : 'user';
  const items: readonly unknown[] = Array.isArray(messages) ? messages : messages === null ? [] : [messages];
  const read = items.map((item, index) =>
    readMessage(item, role, Array.isArray(messages) ? `${path}[${index}]` : path),
  );
  const policy = isRecord(policies) && Object.hasOwn(policies, name) ? (policies[name] as JsonObject) : undefined;
  return Section.of(name, Messages.of(...read)).withPolicy(policy);
}

/** Text, a `role: text` pair, or a full message. */
function readMessage(item: unknown, role: MessageRole, path: string): Message {
  if (!isRecord(item) || 'role' in item || 'content' in item) {
    return Message.from(item as MessageInput, typeof item === 'string' ? role : undefined, undefined, path);
  }
  const [key, ...others] = Object.keys(item);
  const paired = MessageRole.tryFrom(key);
  if (paired === undefined || others.length > 0) {
    throw new InvalidInputError({
      path,
      expected: `text, one pair of a role (${MessageRole.values.join(', ')}) and its content, or a message with role and content`,
      value: item,
    });
  }
  return Message.from({ role: paired, content: item[paired] }, undefined, undefined, joinPath(path, paired));
}
