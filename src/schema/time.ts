/** ISO 8601 in UTC with milliseconds, the one form that is stored: `2026-01-31T12:00:00.000Z`. */
const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** What is read: a date, and a time with a zone, which may be missing from its end on. Without a zone it is UTC. */
const READABLE = /^(?<date>\d{4}-\d\d-\d\d)(?:T(?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

export const TIME_EXPECTED = 'an ISO 8601 date and time with a zone (2026-01-31T12:00:00.000Z)';

/** Whether a value is a time in the stored form, and one that exists (no 30th of February). */
export function isStoredTime(value: unknown): value is string {
  return typeof value === 'string' && STORED.test(value) && existsInCalendar(value);
}

/** ISO text in the stored form; undefined where it is no ISO date-time or no time that exists. */
export function toStoredTime(text: string): string | undefined {
  const parts = READABLE.exec(text)?.groups;
  if (parts === undefined || !existsInCalendar(text)) return undefined;
  const { date, time = '00:00', zone = 'Z' } = parts;
  return storedForm(new Date(`${date}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`));
}

/** A Date in the stored form; undefined for an invalid one and for years that need a sign. */
export function storedForm(time: Date): string | undefined {
  if (Number.isNaN(time.getTime())) return undefined;
  const text = time.toISOString();
  return STORED.test(text) ? text : undefined;
}

function existsInCalendar(text: string): boolean {
  const month = digits(text, 5);
  const day = digits(text, 8);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(month, text) &&
    !(digits(text, 11) >= 24) &&
    !(digits(text, 14) >= 60) &&
    !(digits(text, 17) >= 60)
  );
}

/** The number of two digits at `at`; NaN where the text has ended. */
function digits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

function daysIn(month: number, text: string): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  const year = digits(text, 0) * 100 + digits(text, 2);
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
