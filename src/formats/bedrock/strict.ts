import { reject } from '../../errors.ts';
import { isRecord } from '../../schema/json.ts';

/**
 * Checks the messages of a request as the server does: the user begins, user and assistant alternate, and each says
 * something.
 *
 * @throws InvalidInputError naming the path, with a code for each rule
 */
export function checkStrictly(list: readonly unknown[]): void {
  let last: unknown;
  list.forEach((item, at) => {
    if (!isRecord(item)) return;
    const path = `messages[${at}]`;
    const { role, content } = item;
    if (at === 0 && role === 'assistant') reject(path, 'the user first', role, 'starts_with_assistant');
    if (role === last && role !== 'system') reject(`${path}.role`, 'roles that alternate', role, 'invalid_role');
    if (Array.isArray(content) && content.length === 0) reject(`${path}.content`, 'blocks', content, 'missing_content');
    last = role;
  });
}
