import { MessageStoreError } from '../errors.ts';
import { joinPath } from '../internal/path.ts';

/** What an impossible budget knows. */
export interface BudgetErrorDetails {
  /** The smallest budget that works, in tokens. */
  readonly needed: number;
  readonly budget: number;
  /** The section whose own budget it is; undefined where it is that of the whole prompt. */
  readonly section?: string | undefined;
  /** What takes them, in words. */
  readonly takes: readonly string[];
}

/** What must go out does not fit: the code is `budget_impossible`. */
export class BudgetError extends MessageStoreError {
  override readonly name = 'BudgetError';
  /** The smallest budget that works, in tokens. */
  readonly needed: number;
  readonly budget: number;
  /** The section whose own budget it is; undefined where it is that of the whole prompt. */
  readonly section: string | undefined;
  /** What takes them, in words: `['18 in "messages"', '3 for the request and what is reserved']`. */
  readonly takes: readonly string[];

  constructor(details: BudgetErrorDetails) {
    const { needed, budget, section, takes } = details;
    const path = section === undefined ? 'budget' : `${joinPath('sections', section)}.policy.budget`;
    super('budget_impossible', sentence(details), { path });
    this.needed = needed;
    this.budget = budget;
    this.section = section;
    this.takes = takes;
  }
}

function sentence({ needed, budget, section, takes }: BudgetErrorDetails): string {
  const whole = `what must go out takes ${needed} (${takes.join(', ')})`;
  return section === undefined
    ? `the budget of ${budget} tokens is too small: ${whole}. Raise it, reserve less, or pin fewer sections.`
    : `the section ${JSON.stringify(section)} may take ${budget} tokens, and ${whole}. Give it a larger budget.`;
}
