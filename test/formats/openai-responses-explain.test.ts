import { describe, expect, it } from 'vitest';
import {
  encodeToolChoice,
  encodeTools,
  openaiResponses,
  type OpenAIResponsesOptions,
} from '../../src/formats/openai-responses/index.ts';
import { ContentPart, type Messages } from '../../src/index.ts';
import { assistant, call, chat, result, system, user } from '../../src/testing/index.ts';

const IMAGE = 'https://a.test/i.png';
const history = chat(
  system('Be brief.'),
  user('Look.'),
  assistant([ContentPart.reasoning('Hm.'), 'I will.'], call('look', '{"at":', 'c1'), call('read', {}, 'c2')),
  result('c1', ['A cat.', ContentPart.imageUrl(IMAGE)]),
  result('c2', 'Text.', { status: 'denied' }),
  user(['And', ContentPart.of('video', { url: 'x' }), 'this?']),
);
const explained = (messages: Messages, path: string, options?: OpenAIResponsesOptions) =>
  openaiResponses.encode(messages, options).report.explain(path);
const explain = (path: string) => explained(history, path);
const pathsOf = (path: string) => explain(path).map((found) => found.path);
const rulesOf = (path: string) => explain(path).flatMap(({ rules }) => rules.map(({ rule }) => rule));

describe('explain', () => {
  it('leads from the instructions to the message that they were', () => {
    expect(explain('instructions')).toEqual([{ path: 'messages[0]', message: history.at(0), rules: [] }]);
    expect(explained(chat(system('Be brief.')), 'input[0]')[0]?.path).toBe('messages[0]');
    expect(explained(history, 'input[0].content', { instructions: 'input' })[0]?.path).toBe('messages[0]');
  });

  it('leads from an item to its message, and to what was told of it', () => {
    const { input } = openaiResponses.encode(history).payload as { input: any[] };
    expect(input.map(({ type, role }) => type ?? role)).toEqual([
      'user',
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'user',
    ]);
    expect(explain('input[0]')).toEqual([{ path: 'messages[1]', message: history.at(1), rules: [] }]);
    expect(pathsOf('input[1].content')).toEqual(['messages[2]']);
    expect(rulesOf('input.1')).toEqual(['reasoning', 'malformed-arguments']);
  });

  it('leads to calls, answers, and parts', () => {
    expect(explain("input[2].arguments: Invalid 'JSON'")).toEqual([
      {
        path: 'messages[2].toolCalls[0]',
        message: history.at(2),
        part: history.at(2)?.toolCalls.first(),
        rules: [expect.objectContaining({ rule: 'malformed-arguments' }) as unknown],
      },
    ]);
    expect(pathsOf('input[3].call_id')).toEqual(['messages[2].toolCalls[1]']);
    expect(pathsOf('input[4]')).toEqual(['messages[3]']);
    expect(explain('input[4].output[1].image_url')[0]?.part).toBe(history.at(3)?.content.parts.at(1));
    expect([pathsOf('input[5]'), rulesOf('input[5]')]).toEqual([['messages[4]'], ['error-flag']]);
    expect(pathsOf('input[6].content[1].text')).toEqual(['messages[5].content[2]']);
  });

  it('leads from items that came from here to where they are kept', () => {
    const { messages } = openaiResponses.decode([
      { role: 'user', content: 'q' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'a', annotations: [] }],
      },
    ]);
    const path = (given: string) => explained(messages, given)[0]?.path;
    expect([1, 2, 3].map((at) => path(`input[${at}].id`))).toEqual([
      'messages[1].content[0]',
      'messages[1].content[1]',
      'messages[1]',
    ]);
    expect(path('input[3].content[0].text')).toBe('messages[1].content[2]');
    const only = openaiResponses.decode({ input: 'Hello' }).messages;
    expect(explained(only, 'input')[0]?.path).toBe('messages[0]');
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open = chat(user('q'), assistant('', call('f', {}, 'c1')));
    const [found] = explained(open, 'input[2].output', { openTurn: 'cancel' });
    expect(found?.path).toBe('messages[1]');
    expect(found?.rules.map(({ rule }) => rule)).toContain('synthesised');
  });

  it.each(['input.99', 'model', '', 'input.length'])('leads nowhere from %j', (path) => {
    expect(explain(path)).toEqual([]);
  });
});

describe('tools', () => {
  it('are said in the words of the wire', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(encodeTools([{ name: 'weather', description: 'Now', inputSchema: parameters }, { name: 'time' }])).toEqual([
      { type: 'function', name: 'weather', description: 'Now', parameters, strict: false },
      { type: 'function', name: 'time', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
    expect(() => encodeTools([{ name: 'a.b' }])).toThrow('tools[0].name: expected a name like');
  });

  it('are chosen as the wire has it', () => {
    expect((['auto', 'none', 'required'] as const).map(encodeToolChoice)).toEqual(['auto', 'none', 'required']);
    expect(encodeToolChoice({ name: 'weather' })).toEqual({ type: 'function', name: 'weather' });
  });
});
