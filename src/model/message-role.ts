import { reject } from '../errors.ts';
import { rejectRole } from '../input/role.ts';
import { isRole, type MessageRole as Role, ROLES } from '../schema/role.ts';

/** Who speaks in a message: one of `'system' | 'developer' | 'user' | 'assistant' | 'tool'`. */
export type MessageRole = Role;

/** The roles by name, and what can be asked of them. */
export const MessageRole = /* @__PURE__ */ Object.freeze({
  System: 'system',
  Developer: 'developer',
  User: 'user',
  Assistant: 'assistant',
  Tool: 'tool',

  /** All roles, in their order of declaration. */
  values: ROLES,

  /**
   * The role that a value is.
   *
   * @throws InvalidInputError when it is none; case and blanks count
   */
  from(value: unknown): MessageRole {
    return isRole(value) ? value : rejectRole(value);
  },

  /** The role that a value is; undefined when it is none. */
  tryFrom(value: unknown): MessageRole | undefined {
    return isRole(value) ? value : undefined;
  },

  /** Whether two roles are the same. */
  is(role: MessageRole, other: MessageRole): boolean {
    return role === other;
  },

  /** Whether two roles differ. */
  isNot(role: MessageRole, other: MessageRole): boolean {
    return role !== other;
  },

  /** Whether a role is among others; false without others. */
  oneOf(role: MessageRole, ...others: readonly MessageRole[]): boolean {
    return others.includes(role);
  },

  /** Whether a role gives instructions: system or developer. */
  isSystem(role: MessageRole): boolean {
    return role === 'system' || role === 'developer';
  },

  /**
   * A list of roles, each one checked; order and duplicates stay.
   *
   * @throws InvalidInputError naming the place of what is no role
   */
  normalizeArray(values: readonly unknown[]): readonly MessageRole[] {
    if (!Array.isArray(values)) reject('roles', 'a list of roles', values);
    return values.map((value, at) => (isRole(value) ? value : rejectRole(value, `role[${at}]`)));
  },
} as const);
