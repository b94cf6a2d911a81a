/**
 * The core: one conversation as an immutable value.
 *
 *   MessageStore ── sections ── Section ── messages ── Message ── content ── ContentPart
 *        └─ parameters: Metadata                          ├─ toolCalls ── ToolCall
 *                                                         └─ toolResult: ToolResult
 *
 * Loose input enters through `from`, exact fields through `of`, stored JSON through `fromJSON` and `parse`;
 * `toJSON` leaves. A format (message-store/formats/…) turns a store into a provider's request and back.
 *
 * @module
 */
export { assemble, type AssembleOptions, fit, renderTemplates, type RenderOptions } from './context/assemble.ts';
export { Assembly, cacheMarks } from './context/assembly.ts';
export { AssemblyReport, type Eviction, SectionReport } from './context/assembly-report.ts';
export { BudgetError, type BudgetErrorDetails } from './context/budget-error.ts';
export type { CacheMark } from './context/cache-marks.ts';
export {
  compact,
  type CompactOptions,
  moveOverflow,
  type OverflowOptions,
  summarizeBuffer,
  type SummaryInput,
  type SummaryOptions,
} from './context/compact.ts';
export type { SectionRepair } from './context/fit-slots.ts';
export { layouts } from './context/layouts.ts';
export type { SectionPolicies } from './context/policy.ts';
export { type PrefixChange, type PrefixReport, prefixReport } from './context/prefix-report.ts';
export type { TemplateValues } from './context/render-slots.ts';
export type { FitOptions, Reserve } from './context/room.ts';
export type { Heading, SlotOptions } from './context/slot.ts';
export { templateRenderer, type TemplateRendererOptions } from './context/template-renderer.ts';
export { countTokens } from './context/count-tokens.ts';
export type { MessageCounter, TokenCounter } from './context/token-counter.ts';
export { tokenEstimate } from './context/token-estimate.ts';
export { type Example, examples, examplesText } from './context/examples.ts';
export {
  fromUntrusted,
  isUntrusted,
  type Rejection,
  type Untrusted,
  type UntrustedOptions,
} from './context/from-untrusted.ts';
export { onlyRun, type OnlyRunOptions } from './context/only-run.ts';
export { asSeenBy, type PerspectiveOptions } from './context/perspective.ts';
export type { RejectionCode } from './context/refusal.ts';
export { transcript } from './context/transcript.ts';
export type { ClientPart } from './context/untrusted-entry.ts';
export { insertAfter, removeMessage, replaceMessage } from './edit/edit-message.ts';
export { mapMessages, type MessageEdit } from './edit/map-messages.ts';
export { moveSection } from './edit/move-section.ts';
export { renameSection } from './edit/rename-section.ts';
export { setPolicy } from './edit/set-policy.ts';
export {
  type ErrorCode,
  type ErrorDetails,
  InvalidInputError,
  MessageStoreError,
  type StorageErrorCode,
} from './errors.ts';
export type { AbortSignalLike, PlatformAbortSignal } from './internal/platform.ts';
export { AudioSource, type AudioSourceFields } from './model/audio-source.ts';
export { Collection } from './model/collection.ts';
export { Content, type ContentInput } from './model/content.ts';
export { type CanProvideContentPart, ContentPart, type ContentPartInput } from './model/content-part.ts';
export { ContentParts, type ContentPartsInput } from './model/content-parts.ts';
export { ContentType } from './model/content-type.ts';
export type { Exchange } from './model/exchange.ts';
export { type FileOptions, FileSource, type FileSourceFields } from './model/file-source.ts';
export { MessageId, MessageSessionId, SessionId, ToolCallId } from './model/ids.ts';
export { type ImageDetail, type ImageOptions, ImageSource, type ImageSourceFields } from './model/image-source.ts';
export type { MergeOptions } from './model/merge-runs.ts';
export { Message, type MessageInput } from './model/message.ts';
export type { Block } from './model/message-blocks.ts';
export type { MessageFields } from './model/message-fields.ts';
export { MessageRole } from './model/message-role.ts';
export { MessageStore, type MessageStoreFields, type MessageStoreInput } from './model/message-store.ts';
export { MessageType } from './model/message-type.ts';
export { Messages, type MessagesInput } from './model/messages.ts';
export { type Draft, Metadata, type MetadataInput } from './model/metadata.ts';
export { ParameterOperator } from './model/parameter-operator.ts';
export type { CanProvideMessage, CanProvideMessages, CanRenderMessages, CanStoreMessages } from './model/providers.ts';
export type { MessageLike } from './model/render-text.ts';
export { Section, type SectionInput } from './model/section.ts';
export { SectionOperator } from './model/section-operator.ts';
export { Sections, type SectionsInput } from './model/sections.ts';
export type { DraftList, SectionDraft, StoreDraft, StorePatch } from './model/store-draft.ts';
export { ToolCall, type ToolCallFields, type ToolCallInput } from './model/tool-call.ts';
export { ToolCalls, type ToolCallsInput } from './model/tool-calls.ts';
export { ToolResult, type ToolResultFields, type ToolResultInput } from './model/tool-result.ts';
export type { ContentJSON, ContentPartJSON } from './schema/content.ts';
export type { JsonObject, JsonValue } from './schema/json.ts';
export type { Incomplete, MessageJSON } from './schema/message.ts';
export type { Origin } from './schema/origin.ts';
export type { CacheLifetime, SectionJSON, SectionPolicy } from './schema/section.ts';
export type { MessageStoreJSON } from './schema/store.ts';
export type { ToolCallJSON, ToolCallKind } from './schema/tool-call.ts';
export type { ToolResultJSON, ToolResultStatus } from './schema/tool-result.ts';
export type { Branch, BranchDiff } from './storage/branches.ts';
export type { ForkOptions } from './storage/fork-session.ts';
export { type Growing, Journal, type JournalOptions } from './storage/journal.ts';
export type { LoadOptions } from './storage/load-store.ts';
export { memoryStorage, type MemoryStorageOptions } from './storage/memory/memory-storage.ts';
export type {
  Commit,
  CommitOptions,
  CommitResult,
  Durability,
  Expectation,
  ForkOrigin,
  ForkRequest,
  ListQuery,
  NodePath,
  NodePlace,
  NodeRecord,
  Op,
  Page,
  PathQuery,
  Problem,
  ScanQuery,
  SectionRecord,
  SessionExtras,
  SessionHead,
  SessionInit,
  SessionStorage,
  StorageCapabilities,
  StoredNode,
} from './storage/storage.ts';
export type { OnDamaged } from './storage/message-node.ts';
export type { MessagePath, PathOptions } from './storage/read-path.ts';
export { Session } from './storage/session.ts';
export { type SaveOptions, type SectionOptions, Sessions } from './storage/sessions.ts';
export { type ActualState, StorageError, type StorageErrorDetails } from './storage/storage-error.ts';
export { StoreMessagesResult, type StoreMessagesResultFields } from './storage/store-messages-result.ts';
export type { ConflictPolicy, WriteOptions } from './storage/write-options.ts';
export type { AnswerValue } from './turns/answer-content.ts';
export type { Decision } from './turns/approval.ts';
export type { AssistantTurn, AssistantTurnFields, ClientMessage } from './turns/assistant-turn.ts';
export { describeChange } from './turns/describe-change.ts';
export { type Change, repair, type Repaired, type RepairOptions } from './turns/repair.ts';
export {
  type Answer,
  type AppendUserOptions,
  type CallHandle,
  type CloseOptions,
  type PendingCall,
  ToolTurns,
  turns,
} from './turns/tool-turns.ts';
export type { Stray } from './turns/match.ts';
export { dropExchange, keepLast, splitAt } from './turns/trim.ts';
export { TurnError, type TurnErrorDetails } from './turns/turn-error.ts';
export { validate, type ValidateOptions, type Violation, type ViolationCode } from './turns/validate.ts';
export type { CallOptions, ToolTrace } from './turns/run-call.ts';
export {
  type Model,
  type ModelContext,
  runPendingTools,
  type RunPendingOptions,
  runTools,
  type RunToolsOptions,
  type ToolRun,
  type ToolStep,
  toolSteps,
} from './turns/run-tools.ts';
export {
  type AnyTool,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  tool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolDefinitions,
  type ToolInput,
  type Tools,
} from './turns/tool.ts';
export type { JsonSchema, ToolDeclaration, ToolList } from './turns/tool-definitions.ts';
