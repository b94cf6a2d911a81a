import type { AssistantMessage, ChatMessage } from './wire.ts';

/** Two messages as one; a line stands between texts. The fields of the second win, its calls are the only ones. */
export function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  return { ...first, ...second, content: joinedContent(first.content, second.content) } as AssistantMessage;
}

type Content = ChatMessage['content'];

function joinedContent(first: Content = null, second: Content = null): Content {
  if (typeof first === 'string' && typeof second === 'string') return [first, second].filter(Boolean).join('\n\n');
  if (first === null || second === null) return first ?? second;
  return [...partsOf(first), ...partsOf(second)] as Content;
}

function partsOf(content: NonNullable<Content>): readonly object[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}
