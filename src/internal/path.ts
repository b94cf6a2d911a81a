const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** `messages`, `3`, `role` → `messages[3].role`; a key that is no identifier is quoted. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!IDENTIFIER.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
