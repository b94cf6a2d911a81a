import { isRecord } from '../../schema/json.ts';

/** A record of the wire, before it is read. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a field is not there, or null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The text of a field; `''` where it is blank, or no text. */
export function textAt(record: unknown, key: string): string {
  const value = isRecord(record) ? record[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : '';
}

/** A role as the server reads it: in any case. */
export function roleIn({ role }: Fields): unknown {
  return typeof role === 'string' ? role.toLowerCase() : role;
}
