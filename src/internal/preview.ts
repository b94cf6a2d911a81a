const MAX_LENGTH = 60;

/** Any value as short text for an error message: `"robot"`, `42`, `a list`, `an object`, `the error "…"`. Never throws. */
export function preview(value: unknown): string {
  try {
    return textOf(value);
  } catch {
    return 'a value that cannot be read';
  }
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(cut(value));
    case 'bigint':
      return cut(`${value}n`);
    case 'function':
      return 'a function';
    case 'symbol':
      return 'a symbol';
    case 'object':
      return textOfObject(value);
    default:
      return String(value);
  }
}

function textOfObject(value: object | null): string {
  if (value === null) return 'null';
  if (value instanceof Error) return `the error ${JSON.stringify(cut(value.message))}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return `an object${className(value)}`;
}

function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return '';
  const { constructor } = prototype as { constructor?: unknown };
  const name: unknown = typeof constructor === 'function' ? constructor.name : undefined;
  return typeof name === 'string' && name !== '' ? ` of class ${cut(name)}` : '';
}

/** Cuts on a code-point boundary, so that the message stays well-formed. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const end = isHighSurrogate(text.charCodeAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
