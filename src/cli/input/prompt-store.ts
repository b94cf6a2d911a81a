import { POLICY_KEYS } from '../../context/policy.ts';
import { InvalidInputError, reject } from '../../errors.ts';
import { joinPath } from '../../internal/path.ts';
import type { MessageInput } from '../../model/message.ts';
import { MessageRole } from '../../model/message-role.ts';
import { MessageStore } from '../../model/message-store.ts';
import { Messages } from '../../model/messages.ts';
import { Section } from '../../model/section.ts';
import { oneOf } from '../../schema/explain.ts';
import { isRecord } from '../../schema/json.ts';
import type { SectionPolicy } from '../../schema/section.ts';
import { at, Failure } from '../failure.ts';
import { parseYaml, type YamlDocument } from './parse-yaml.ts';
import { pathKeys } from './path-keys.ts';

type Fields = Readonly<Record<string, unknown>>;

const KEYS = ['sections', 'parameters', 'policies'];

/**
 * The store of a prompt file, YAML or JSON: `sections` maps names to text or to a list of messages, each of them text,
 * a `role: text` pair, or a full message; `parameters` and `policies` (by section) may stand beside it. Text alone is
 * a system message in the section `system`, a developer message in `developer`, a user message elsewhere.
 *
 * @throws Failure naming the file, the line and the path
 */
export function promptStore(text: string, file: string): MessageStore {
  return storeOfPrompt(parseYaml(text, file), file);
}

/** {@link promptStore} of a document that is parsed already. */
export function storeOfPrompt(document: YamlDocument, file: string): MessageStore {
  return at(file, () => {
    try {
      return readPrompt(document);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      throw new Failure(`${file}: line ${document.lineOf(pathKeys(error.path))}`, error.message, error);
    }
  });
}

function readPrompt({ value, keys }: YamlDocument): MessageStore {
  const prompt = value as Fields & { readonly sections: Fields };
  const { sections, parameters, policies } = prompt;
  refuseOtherKeys(prompt, KEYS, '');
  if (isGiven(policies)) refuseOtherKeys(asRecord(policies, 'policies'), Object.keys(sections), 'policies');
  const names = new Set([...keys(['sections']), ...Object.keys(sections)]);
  const read = [...names]
    .filter((name) => Object.hasOwn(sections, name))
    .map((name) => readSection(name, sections[name]).withPolicy(policyOf(policies, name)));
  return MessageStore.of({ sections: read, parameters: isGiven(parameters) ? asRecord(parameters, 'parameters') : {} });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function asRecord(value: unknown, path: string): Fields {
  return isRecord(value) ? value : reject(path, 'a mapping from names to values', value);
}

function refuseOtherKeys(fields: Fields, known: readonly string[], path: string): void {
  const other = Object.keys(fields).find((key) => !known.includes(key));
  if (other !== undefined) reject(joinPath(path, other), `the key to be ${oneOf(known)}`, other);
}

function policyOf(policies: unknown, name: string): SectionPolicy | undefined {
  if (!isRecord(policies) || !Object.hasOwn(policies, name)) return undefined;
  const path = joinPath('policies', name);
  const policy = asRecord(policies[name], path);
  refuseOtherKeys(policy, POLICY_KEYS, path);
  return policy;
}

/** A section from nothing, one message, or a list of them. */
function readSection(name: string, value: unknown): Section {
  const path = joinPath('sections', name);
  const items: readonly unknown[] = Array.isArray(value) ? value : isGiven(value) ? [value] : [];
  const role = name === 'system' || name === 'developer' ? name : 'user';
  const read = items.map((item, index) => readItem(item, role, Array.isArray(value) ? `${path}[${index}]` : path));
  return Section.of(name, Messages.from(read, undefined, undefined, path));
}

/** What the library reads as a message: text gets its role, a pair is written out. */
function readItem(item: unknown, role: MessageRole, path: string): MessageInput {
  if (typeof item === 'string') return { role, content: item };
  if (!isRecord(item))
    return reject(path, 'a message: text in quotes, a pair like "user: Hello", or role and content', item);
  if (Object.hasOwn(item, 'role')) return item;
  const [key = '', ...others] = Object.keys(item);
  if (others.length > 0 || !MessageRole.values.includes(key as MessageRole)) return rejectPair(item, path);
  const content = item[key];
  return isContent(content)
    ? { role: key, content }
    : reject(joinPath(path, key), 'text in quotes, or a list of content parts', content);
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function rejectPair(item: Fields, path: string): never {
  const roles = MessageRole.values.join(', ');
  const expected = `one role (${roles}) and its text, like "user: Hello", or a message with role and content`;
  return reject(path, expected, Object.keys(item).join(', '));
}
