/** What the API takes as the name of a participant (it answers others with a 400) or of a tool (openai package, FunctionDefinition). */
const LEGAL = /^[\w-]{1,64}$/;

/** Whether the name of a participant or a tool can go out as it is. */
export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/** A participant's name as far as it is legal; `''` where nothing of it is left. The same each time. */
export function legalName(name: string): string {
  return isLegalName(name)
    ? name
    : name
        .replace(/[^\w-]+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, 64);
}
