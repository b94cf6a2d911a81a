/** Conversations in the shapes of other libraries. */
import * as langchain from '@langchain/core/messages';
import type { ContentPartJSON, MessageJSON } from '../../../src/index.ts';

const partsOf = ({ content }: MessageJSON): readonly ContentPartJSON[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Messages of LangChain. */
export function toLangChain(messages: readonly MessageJSON[]): langchain.BaseMessage[] {
  return messages.map((message) => {
    const { id, role, content, tool_calls: calls = [], tool_result: result } = message;
    const base = { id, content: content as string, additional_kwargs: {}, response_metadata: {} };
    if (role === 'system') return new langchain.SystemMessage(base);
    if (role === 'user') return new langchain.HumanMessage(base);
    if (role === 'tool') return new langchain.ToolMessage({ ...base, tool_call_id: result?.call_id ?? '' });
    const tool_calls = calls.map(({ id: call, name, arguments: args }) => ({
      id: call ?? '',
      name,
      args: args as Record<string, unknown>,
      type: 'tool_call' as const,
    }));
    return new langchain.AIMessage({ ...base, tool_calls });
  });
}

/** Messages of the AI SDK's screens: a tool's call and result are one part of the assistant's message. */
export function toUI(messages: readonly MessageJSON[]): never[] {
  const out: object[] = [];
  messages.forEach((message, at) => {
    if (message.role === 'tool') return;
    const parts = partsOf(message).map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part['text'], state: 'done' }
        : { type: 'file', mediaType: 'image/png', url: (part['image_url'] as { url: string }).url },
    );
    const tools = (message.tool_calls ?? []).map((call) => ({
      type: `tool-${call.name}`,
      toolCallId: call.id,
      state: 'output-available',
      input: call.arguments,
      output: JSON.parse(messages[at + 1]?.content as string) as unknown,
    }));
    out.push({ id: message.id, role: message.role, metadata: message._metadata ?? {}, parts: [...parts, ...tools] });
  });
  return out as never[];
}
