import { readExtra } from '../input/extra.ts';
import { readId, readOptionalId } from '../input/ids.ts';
import { readIncomplete } from '../input/message.ts';
import { readOptionalString } from '../input/string.ts';
import { readRole } from '../input/role.ts';
import { readTime } from '../input/time.ts';
import { newId, timeText } from '../internal/ids.ts';
import { NO_FIELDS } from '../schema/json.ts';
import { type Incomplete, isMessageKey } from '../schema/message.ts';
import type { Origin } from '../schema/origin.ts';
import type { MessageRole } from '../schema/role.ts';
import type { ContentInput } from './content.ts';
import { givenOrigin } from './extra.ts';
import { contentOf, type MessageState, unified } from './message-state.ts';
import { Metadata, type MetadataInput } from './metadata.ts';
import { ToolCalls, type ToolCallsInput } from './tool-calls.ts';
import { ToolResult, type ToolResultInput } from './tool-result.ts';

/** The fields of a message; all may be left out. */
export interface MessageFields {
  /** Default `user`. */
  readonly role?: MessageRole | '' | null | undefined;
  /** Absent or null: one blank text part; null beside tool calls: no part. */
  readonly content?: ContentInput;
  /** The participant's name, or `''`. */
  readonly name?: string | undefined;
  readonly metadata?: MetadataInput | null | undefined;
  readonly toolCalls?: ToolCallsInput | null | undefined;
  readonly toolResult?: ToolResultInput | null | undefined;
  /** Default: a new one. */
  readonly id?: string | null | undefined;
  /** A Date, or ISO 8601 text; without a zone it is UTC. Default: now. */
  readonly createdAt?: Date | string | null | undefined;
  /** The message before this one in a branching session. */
  readonly parentId?: string | null | undefined;
  readonly origin?: Origin | undefined;
  readonly incomplete?: Incomplete | undefined;
  /** Fields without a meaning here, kept and written again; fields that have one are left out. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks fields given by the caller and fills in what is missing. */
export function stateOfFields(fields: MessageFields): MessageState {
  const toolCalls = fields.toolCalls ? ToolCalls.from(fields.toolCalls, 'toolCalls') : ToolCalls.empty();
  return unified({
    id: readOptionalId(fields.id) ?? newId(),
    timestamp: readTime(fields.createdAt) ?? timeText(),
    role: readRole(fields.role) ?? 'user',
    name: readOptionalString(fields.name, 'name'),
    content: contentOf(fields.content, toolCalls, 'content'),
    toolCalls,
    toolResult: fields.toolResult ? ToolResult.from(fields.toolResult, 'toolResult') : undefined,
    metadata: Metadata.from(fields.metadata, 'metadata'),
    parentId:
      fields.parentId === undefined || fields.parentId === null ? undefined : readId(fields.parentId, 'parentId'),
    origin: givenOrigin(fields.origin),
    incomplete: readIncomplete(fields.incomplete, 'incomplete'),
    extra: readExtra(fields.extra ?? NO_FIELDS, isMessageKey, 'extra'),
  });
}

/** A participant's name as given; `''` for none. */
