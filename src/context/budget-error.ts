import { MessageStoreError } from '../errors.ts';
import { joinPath } from '../internal/path.ts';

/** What an impossible budget knows beside its sentence. */
export interface BudgetErrorDetails {
  /** The smallest budget that works, in tokens. */
  readonly needed: number;
  readonly budget: number;
  /** The section whose own budget it is. */
  readonly section?: string;
}

/** What must go out does not fit: the code is `budget_impossible`. */
export class BudgetError extends MessageStoreError {
  override readonly name = 'BudgetError';
  /** The smallest budget that works, in tokens. */
  readonly needed: number;
  readonly budget: number;
  /** The section whose own budget it is; undefined where it is that of the whole prompt. */
  readonly section: string | undefined;

  constructor(message: string, { needed, budget, section }: BudgetErrorDetails) {
    super('budget_impossible', message, {
      path: section === undefined ? 'budget' : `${joinPath('sections', section)}.policy.budget`,
    });
    this.needed = needed;
    this.budget = budget;
    this.section = section;
  }
}
