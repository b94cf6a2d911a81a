/** Who speaks in a message. */
export type MessageRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

/** The roles, in their order of declaration. */
export const ROLES: readonly MessageRole[] = Object.freeze([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
] as const);

/** Whether a value is one of the roles. */
export function isRole(value: unknown): value is MessageRole {
  switch (value) {
    case 'system':
    case 'developer':
    case 'user':
    case 'assistant':
    case 'tool':
      return true;
    default:
      return false;
  }
}
