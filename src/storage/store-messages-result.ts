import { timeText } from '../internal/ids.ts';

/** What a {@link StoreMessagesResult} tells. */
export interface StoreMessagesResultFields {
  readonly sessionId: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly sectionsStored: number;
  readonly messagesStored: number;
  readonly newMessages: number;
  readonly errorMessage: string | undefined;
}

/** What was stored when a store was saved, and how long it took. Storages of this library throw where they fail: `failure` is for those of others. */
export class StoreMessagesResult implements StoreMessagesResultFields {
  readonly sessionId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly sectionsStored: number;
  /** The messages that the session now has; one that stands in two sections counts once. */
  readonly messagesStored: number;
  /** Those of them that it did not have before. */
  readonly newMessages: number;
  /** Undefined where all went well. */
  readonly errorMessage: string | undefined;

  private constructor(fields: StoreMessagesResultFields) {
    this.sessionId = fields.sessionId;
    this.startedAt = fields.startedAt;
    this.finishedAt = fields.finishedAt;
    this.sectionsStored = fields.sectionsStored;
    this.messagesStored = fields.messagesStored;
    this.newMessages = fields.newMessages;
    this.errorMessage = fields.errorMessage;
    Object.freeze(this);
  }

  /** All was stored. */
  static success(
    sessionId: string,
    startedAt: Date,
    finishedAt: Date,
    sectionsStored: number,
    messagesStored: number,
    newMessages: number,
  ): StoreMessagesResult {
    const counts = { sectionsStored, messagesStored, newMessages };
    const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
    return new StoreMessagesResult({ sessionId, ...times, ...counts, errorMessage: undefined });
  }

  /** Nothing was stored. */
  static failure(sessionId: string, startedAt: Date, errorMessage: string): StoreMessagesResult {
    const counts = { sectionsStored: 0, messagesStored: 0, newMessages: 0 };
    const times = { startedAt: startedAt.toISOString(), finishedAt: timeText() };
    return new StoreMessagesResult({ sessionId, ...times, ...counts, errorMessage });
  }

  /** Whether all was stored. */
  isSuccess(): boolean {
    return this.errorMessage === undefined;
  }

  /** Whether nothing was stored. */
  isFailure(): boolean {
    return !this.isSuccess();
  }

  /** {@link StoreMessagesResult.isSuccess} as a field. */
  get success(): boolean {
    return this.isSuccess();
  }

  /** How long it took, in milliseconds. */
  get durationMs(): number {
    return Date.parse(this.finishedAt) - Date.parse(this.startedAt);
  }

  /** All of it as one JSON object; no error is null. */
  toJSON(): Omit<StoreMessagesResultFields, 'errorMessage'> & {
    readonly success: boolean;
    readonly durationMs: number;
    readonly errorMessage: string | null;
  } {
    const { durationMs, errorMessage = null } = this;
    return { ...this, success: this.success, durationMs, errorMessage };
  }
}
