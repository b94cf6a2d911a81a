/** What the API takes as a message's name: letters, digits, `_` and `-`, at most 64 (it answers others with a 400). */
const LEGAL = /^[\w-]{1,64}$/;

/** Whether a participant's name can go out as it is. */
export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/** The name as far as it is legal; `''` where nothing of it is left. The same each time. */
export function legalName(name: string): string {
  return isLegalName(name)
    ? name
    : name
        .replace(/[^\w-]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 64);
}
