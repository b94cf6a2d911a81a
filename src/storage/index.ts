/**
 * For who writes a storage of sessions: what is given, checked and copied; what a commit is to do; a session in
 * memory that makes the changes and answers reads; the errors. `SessionStorage` itself is in the core,
 * `storageConformance` in the testing kit.
 *
 * @module
 */
export {
  checkCommit,
  type CheckedCommit,
  type CheckedNode,
  type CheckedOp,
  copyObject,
  DEFAULT_LIMITS,
  type Limits,
} from './check-commit.ts';
export { checkId, checkName } from './check-names.ts';
export { checkLimit, readCursor } from './check-query.ts';
export { listCursor, listHeads, type ListKey, readListCursor } from './list-heads.ts';
export {
  checkExpectation,
  type KnownNode,
  type Plan,
  planCommit,
  type PlannedNode,
  type PlannedOp,
  type SessionView,
} from './plan-commit.ts';
export { pathOfState, scanState } from './session-reads.ts';
export {
  commitConflict,
  type LogEntry,
  type Logged,
  type LoggedOp,
  type PlannedEntry,
  patched,
  type SectionState,
  type SessionBirth,
  SessionState,
  type StateSummary,
} from './session-state.ts';
export { checkSignal, checkVersion, closed, noMessage, noSession, sessionExists } from './storage-error.ts';
