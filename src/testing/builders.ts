import type { ContentInput } from '../model/content.ts';
import { Message } from '../model/message.ts';
import { MessageStore } from '../model/message-store.ts';
import { Messages } from '../model/messages.ts';
import type { MetadataInput } from '../model/metadata.ts';
import { Section } from '../model/section.ts';
import { ToolCall } from '../model/tool-call.ts';
import type { ToolResultStatus } from '../schema/tool-result.ts';

/** What can stand in a chat: a message, a text of the user, or a tool call as an assistant's turn of its own. */
export type Turn = Message | string | ToolCall;

/** What can be said of a tool's answer. */
export interface ResultOptions {
  readonly toolName?: string;
  readonly status?: ToolResultStatus;
}

/** A message of the user. */
export function user(content: ContentInput, name = ''): Message {
  return Message.make('user', content, name);
}

/** A message with instructions, in the role `system`. */
export function system(content: ContentInput): Message {
  return Message.make('system', content);
}

/** A message with instructions, in the role `developer`. */
export function developer(content: ContentInput): Message {
  return Message.make('developer', content);
}

/** A turn of the assistant: what it says, and the tools that it calls. */
export function assistant(content: ContentInput, ...toolCalls: readonly ToolCall[]): Message {
  return Message.of({ role: 'assistant', content, toolCalls });
}

/** A tool call. Its id is the tool's name unless another is given, so that `result('weather', …)` answers `call('weather')`. */
export function call(name: string, args: Readonly<Record<string, unknown>> | string = {}, id: string = name): ToolCall {
  return ToolCall.of({ name, args, id });
}

/** The answer to the tool call with this id. */
export function result(callId: string, content: ContentInput, options: ResultOptions = {}): Message {
  return Message.toolResult(callId, content, options);
}

/**
 * A conversation.
 *
 * @example
 * import { call, chat, result, user } from 'message-store/testing';
 * chat(user('Weather?'), call('weather'), result('weather', '12 °C')).map((m) => m.role) // => ['user', 'assistant', 'tool']
 */
export function chat(...turns: readonly Turn[]): Messages {
  return Messages.of(...turns.map(messageOf));
}

/**
 * A store of sections by name, each a chat or a list of turns.
 *
 * @example
 * import { store, system, user } from 'message-store/testing';
 * store({ system: [system('Be brief.')], chat: [user('Hi')] }).sections.names() // => ['system', 'chat']
 */
export function store(
  sections: Readonly<Record<string, Messages | readonly Turn[]>>,
  parameters: MetadataInput = {},
): MessageStore {
  return MessageStore.of({
    sections: Object.entries(sections).map(([name, turns]) => Section.of(name, chat(...turns))),
    parameters,
  });
}

function messageOf(turn: Turn): Message {
  return turn instanceof ToolCall ? Message.of({ role: 'assistant', toolCalls: [turn] }) : Message.from(turn);
}
