/** A proxy that throws at every touch. */
export function revokedProxy(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** JSON text of lists in lists. */
export function deepText(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/** Lists in lists. */
export function deepValue(levels: number): unknown {
  return JSON.parse(deepText(levels));
}

/** A value that contains itself. */
export function cycle(): Record<string, unknown> {
  const value: Record<string, unknown> = { a: [{}] };
  (value['a'] as unknown[])[0] = { back: value };
  return value;
}

/** An object with a field that throws when it is read. */
export function throwingField(key: string, more: object = {}): Record<string, unknown> {
  return Object.defineProperty({ ...more }, key, {
    enumerable: true,
    get() {
      throw new Error('boom');
    },
  });
}
