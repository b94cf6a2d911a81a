import { reject } from '../errors.ts';
import { oneOf } from '../schema/explain.ts';
import { isRole, type MessageRole, ROLES } from '../schema/role.ts';

/** A role as given; undefined for `''`, null and undefined, which mean the default. */
export function readRole(value: unknown, path = 'role'): MessageRole | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return isRole(value) ? value : rejectRole(value, path);
}

/** Throws that `value` is no role, naming those that are. */
export function rejectRole(value: unknown, path = 'role'): never {
  return reject(path, oneOf(ROLES), value);
}
