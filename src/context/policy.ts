import { reject } from '../errors.ts';
import { joinPath } from '../internal/path.ts';
import type { Section } from '../model/section.ts';
import { oneOf } from '../schema/explain.ts';
import { isRecord } from '../schema/json.ts';
import type { CacheLifetime, SectionPolicy } from '../schema/section.ts';

/** Policies of sections, by their names. */
export type SectionPolicies = Readonly<Record<string, SectionPolicy>>;

const LIFETIMES: readonly CacheLifetime[] = ['5m', '30m', '1h', '12h'];
const EVICTIONS = ['oldest', 'summary'];
const SHARE = /^(?:100|\d{1,2})(?:\.\d+)?%$/;

/** What each key of a policy may be, and that in words. */
const RULES: Readonly<Record<keyof SectionPolicy, readonly [isFine: (value: unknown) => boolean, expected: string]>> = {
  pin: [isFlag, 'true or false'],
  trust: [isFlag, 'true or false'],
  budget: [isBudget, 'tokens from 0 on, or a share like "25%"'],
  cache: [isCache, `true, false, or ${oneOf(LIFETIMES)}`],
  evict: [(value) => EVICTIONS.includes(value as string), oneOf(EVICTIONS)],
};

/** The keys of a policy that mean something. */
export const POLICY_KEYS: readonly string[] = /* @__PURE__ */ Object.keys(RULES);

/**
 * How a section is treated: what is stored with it, and over that what is given.
 *
 * @throws InvalidInputError `invalid_policy` naming the section and the key
 */
export function policyOf({ name, policy }: Section, given: SectionPolicies = {}): SectionPolicy {
  const own = Object.hasOwn(given, name) ? given[name] : undefined;
  const path = joinPath('sections', name);
  if (own !== undefined && !isRecord(own)) reject(joinPath('policies', name), 'an object', own, 'invalid_policy');
  const joined: SectionPolicy = { ...(policy as SectionPolicy | undefined), ...own };
  for (const [key, [isFine, expected]] of Object.entries(RULES)) {
    const value = joined[key as keyof SectionPolicy];
    if (value !== undefined && !isFine(value)) reject(`${path}.policy.${key}`, expected, value, 'invalid_policy');
  }
  return joined;
}

/** The share of what there is, from 0 to 1, that a policy gives a section; undefined where it gives tokens, or nothing. */
export function shareOf({ budget }: SectionPolicy): number | undefined {
  return typeof budget === 'string' ? Number(budget.slice(0, -1)) / 100 : undefined;
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isBudget(value: unknown): boolean {
  return typeof value === 'string' ? SHARE.test(value) && !(Number.parseFloat(value) > 100) : isTokens(value);
}

/** Whether a value is a number of tokens. */
export function isTokens(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function isCache(value: unknown): boolean {
  return isFlag(value) || LIFETIMES.includes(value as CacheLifetime);
}
