/** ISO 8601 in UTC with milliseconds, the one form that is stored: `2026-01-31T12:00:00.000Z`. */
const STORED = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** What is read: a date, and a time with a zone, which may be missing from its end on. Without a zone it is UTC. */
const READABLE =
  /^(?<date>\d{4}-\d\d-\d\d)(?:T(?<time>(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

export const TIME_EXPECTED = 'an ISO 8601 date and time (2026-01-31T12:00:00.000Z)';

/** Whether a value is a time in the stored form, and one that exists (no 30th of February). */
export function isStoredTime(value: unknown): value is string {
  // Every month has 28 days, so that the calendar is asked about few times.
  return typeof value === 'string' && STORED.test(value) && (value.slice(8, 10) <= '28' || hasDate(value));
}

/** ISO text in the stored form; undefined where it is no ISO date-time or no time that exists. */
export function toStoredTime(text: string): string | undefined {
  const parts = READABLE.exec(text)?.groups;
  if (parts === undefined || !hasDate(text)) return undefined;
  const { date, time = '00:00', zone = 'Z' } = parts;
  return storedForm(new Date(`${date}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`));
}

/** A Date in the stored form; undefined for an invalid one and for years that need a sign. */
export function storedForm(time: Date): string | undefined {
  if (Number.isNaN(time.getTime())) return undefined;
  const text = time.toISOString();
  return STORED.test(text) ? text : undefined;
}

/** Whether the date that a text begins with is in the calendar: Date takes the 30th of February for the 2nd of March. */
function hasDate(text: string): boolean {
  const date = text.slice(0, 10);
  return storedForm(new Date(`${date}T00:00:00.000Z`))?.startsWith(date) === true;
}
