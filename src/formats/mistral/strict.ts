import { reject } from '../../errors.ts';
import type { Messages } from '../../model/messages.ts';
import { shapeOf } from './origin.ts';

/** A role that there is not, and who may not speak behind whom: "Unexpected role '…' after role '…'". */
const REFUSED = /developer$|^(system|user) tool|(assistant|tool) system$/;

/**
 * Checks the messages of a history, or of a response, as the server does: who may speak when, and whether something is
 * said. Calls and answers are looked at elsewhere.
 *
 * @throws InvalidInputError with a code of its own for each rule, naming the path
 */
export function checkStrictly(messages: Messages, pathOf: (at: number) => string): void {
  let before = '';
  messages.forEach((message, at) => {
    const { role, content, toolCalls } = message;
    const isSilent = content.plainText === '' && shapeOf(message).content !== 'list';
    if (REFUSED.test(`${before} ${role}`)) reject(`${pathOf(at)}.role`, 'another role', role, 'invalid_role');
    if (role === 'assistant' && toolCalls.size === 0 && (isSilent || content.parts.isEmpty()))
      reject(`${pathOf(at)}.content`, 'content', '', 'missing_content');
    before = role;
  });
}
