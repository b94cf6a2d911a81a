import { ContentPart, ToolResult } from 'message-store';
import { describe, expect, it } from 'vitest';

describe('a tool result', () => {
  it('has content, bound to a call', () => {
    const result = ToolResult.of({ content: '12 °C', callId: 'c1', toolName: 'weather' });
    expect([String(result), result.callId, result.callIdString(), result.toolName]).toEqual([
      '12 °C',
      'c1',
      'c1',
      'weather',
    ]);
    expect([result.status, result.isError(), result.synthetic]).toEqual(['ok', false, false]);
    expect(result.toJSON()).toEqual({ content: '12 °C', call_id: 'c1', tool_name: 'weather', is_error: false });
  });

  it('may be bound to nothing, and hold nothing', () => {
    const result = ToolResult.of({ content: null });
    expect([result.callId, result.callIdString(), result.toolName, String(result)]).toEqual([
      undefined,
      '',
      undefined,
      '',
    ]);
    expect(result.toJSON()).toEqual({ content: '', call_id: null, tool_name: null, is_error: false });
    expect(ToolResult.of({ content: 'a', callId: ' ', toolName: '' }).toJSON()).toMatchObject({
      call_id: null,
      tool_name: null,
    });
  });

  it('holds parts', () => {
    const parts = [ContentPart.text('a chart'), ContentPart.imageUrl('https://a/b.png')];
    expect(ToolResult.of({ content: parts, callId: 'c1' }).toJSON().content).toEqual(
      parts.map((part) => part.toJSON()),
    );
  });

  it('went well, or did not', () => {
    expect(ToolResult.success('a', 'c1', 't').toJSON()).toEqual({
      content: 'a',
      call_id: 'c1',
      tool_name: 't',
      is_error: false,
    });
    expect(ToolResult.error('a', 'c1').toJSON()).toEqual({
      content: 'a',
      call_id: 'c1',
      tool_name: null,
      is_error: true,
    });
    expect(ToolResult.of({ content: 'a', isError: true }).status).toBe('error');
    expect(ToolResult.of({ content: 'a', isError: true, status: 'denied' }).status).toBe('denied');
    for (const status of ['denied', 'cancelled'] as const) {
      const result = ToolResult.of({ content: 'a', status });
      expect([result.isError(), result.toJSON()]).toEqual([
        true,
        { content: 'a', call_id: null, tool_name: null, is_error: true, status },
      ]);
    }
  });

  it('says whether it was made up', () => {
    expect(ToolResult.of({ content: 'a', synthetic: true }).toJSON()).toMatchObject({ synthetic: true });
  });

  it('is read from our form and from OpenAI’s, and keeps the rest', () => {
    const ours = {
      content: 'a',
      call_id: 'c1',
      tool_name: 't',
      is_error: true,
      status: 'denied',
      synthetic: true,
      more: [1],
    };
    expect(ToolResult.from(ours).toJSON()).toEqual(ours);
    expect(ToolResult.fromJSON(ours).toJSON()).toEqual(ours);
    expect(ToolResult.from({ content: 'a', tool_call_id: 'c1' }).callId).toBe('c1');
    expect(ToolResult.from({ content: 'a', is_error: 'yes' }).status).toBe('error');
    expect(ToolResult.from({ content: 'a', tool_name: 5 }).toolName).toBeUndefined();
    expect(String(ToolResult.from({}))).toBe('');
    const result = ToolResult.success('a');
    expect(ToolResult.from(result)).toBe(result);
  });

  it('is refused with the place of what is wrong', () => {
    expect(() => ToolResult.of({ content: 'a', status: 'odd' as never })).toThrow(
      'status: expected one of "ok", "error", "denied", "cancelled", got "odd"',
    );
    expect(() => ToolResult.of({ content: 'a', toolName: 5 as never })).toThrow('toolName: expected a string, got 5');
    expect(() => ToolResult.of({ content: 5 as never })).toThrow('content: expected text or content parts');
    expect(() => ToolResult.of({ content: 'a', callId: 'a\u0000' })).toThrow('callId: expected a tool call id');
    expect(() => ToolResult.from('a' as never, 'tool_result')).toThrow('tool_result: expected a tool result, got "a"');
    expect(() => ToolResult.from({ content: 5 }, 'tool_result')).toThrow(
      'tool_result.content: expected text or content parts',
    );
    expect(() => ToolResult.fromJSON({ content: 'a', call_id: null, tool_name: null })).toThrow(
      'is_error: expected true or false, got undefined',
    );
  });

  it('has other content, or the same', () => {
    const result = ToolResult.of({ content: 'a', callId: 'c1', status: 'denied' });
    expect(result.withContent('b').toJSON()).toEqual({
      content: 'b',
      call_id: 'c1',
      tool_name: null,
      is_error: true,
      status: 'denied',
    });
    expect(result.withContent('a')).toBe(result);
  });

  it('is equal to one of the same fields', () => {
    const result = ToolResult.success('a', 'c1', 't');
    expect(result.equals(ToolResult.success('a', 'c1', 't'))).toBe(true);
    for (const other of [
      ToolResult.success('b', 'c1', 't'),
      ToolResult.success('a', 'c2', 't'),
      ToolResult.success('a', 'c1', 'u'),
      ToolResult.error('a', 'c1', 't'),
      ToolResult.of({ content: 'a', callId: 'c1', toolName: 't', synthetic: true }),
      ToolResult.from({ ...result.toJSON(), more: 1 }),
    ]) {
      expect(result.equals(other)).toBe(false);
    }
  });
});
