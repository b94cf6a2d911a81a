import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/formats/gemini/index.ts';
import { ContentPart, type MessageInput, Messages } from '../../src/index.ts';
import { assistant, call, chat, developer, result, system, user } from '../../src/testing/index.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';

const history = chat(
  system('Be brief.'),
  user('Look.'),
  assistant([ContentPart.reasoning('Hm.'), 'I will.'], call('look', '{"at":', 'c1'), call('read', {}, 'c2')),
  result('c1', ['A cat.', ContentPart.imageUrl(PNG)]),
  result('c2', 'Text.', { status: 'denied' }),
  assistant('Now'),
  assistant('then.'),
  developer('Be kind.'),
  user(['And', ContentPart.of('video', { url: 'x' }), 'this?']),
);
const { payload, report } = gemini.encode(history);
const explain = (path: string) => report.explain(path);
const pathsOf = (path: string) => explain(path).map((found) => found.path);
const rulesOf = (path: string) => explain(path).flatMap(({ rules }) => rules.map(({ rule }) => rule));

describe('explain', () => {
  it('leads from a content to its message, and to what was told of it', () => {
    expect(payload.contents.map(({ role, parts }) => [role, parts.length])).toEqual([
      ['user', 1],
      ['model', 3],
      ['user', 2],
      ['model', 2],
      ['user', 2],
    ]);
    expect(explain('contents[0]')).toEqual([{ path: 'messages[1]', message: history.at(1), rules: [] }]);
    expect(pathsOf('contents[1].role')).toEqual(['messages[2]']);
    expect(rulesOf('contents.1')).toEqual(['reasoning', 'malformed-arguments']);
  });

  it('leads from paths that are spelled with underscores', () => {
    expect(pathsOf('contents[1].parts[1].function_call.args')).toEqual(['messages[2].toolCalls[0]']);
    expect(explain('Invalid value at contents[2].parts[0].function_response.name')).toEqual(
      explain('contents[2].parts[0].functionResponse.name'),
    );
    expect(pathsOf('contents[2].parts[0].function_response')).toEqual(pathsOf('contents[2].parts[0].functionResponse'));
    expect(pathsOf('system_instruction.parts[0]')).toEqual(pathsOf('systemInstruction.parts[0]'));
    expect(pathsOf('system_instruction')).not.toEqual([]);
  });

  it('leads to parts and calls', () => {
    expect(explain('contents[1].parts[0].text')).toEqual([
      { path: 'messages[2].content[1]', message: history.at(2), part: history.at(2)?.content.parts.at(1), rules: [] },
    ]);
    expect(explain('contents[1].parts[1].functionCall.args')).toEqual([
      {
        path: 'messages[2].toolCalls[0]',
        message: history.at(2),
        part: history.at(2)?.toolCalls.first(),
        rules: [expect.objectContaining({ rule: 'malformed-arguments' }) as unknown],
      },
    ]);
    expect(pathsOf('contents[4].parts[1]')).toEqual(['messages[8].content[2]']);
  });

  it('leads from an answer to its message, and to the media in it', () => {
    expect(explain('contents[2].parts[1].functionResponse.name')).toEqual([
      {
        path: 'messages[4]',
        message: history.at(4),
        part: history.at(4)?.toolResult,
        rules: [expect.objectContaining({ rule: 'status' }) as unknown],
      },
    ]);
    expect(pathsOf('contents[2].parts[0].functionResponse.parts[0].inlineData')).toEqual(['messages[3].content[1]']);
    expect(pathsOf('contents[2]')).toEqual(['messages[3]', 'messages[4]']);
  });

  it('leads to all messages that went out as one turn', () => {
    expect(pathsOf('contents[3]')).toEqual(['messages[5].content[0]', 'messages[6].content[0]']);
    expect(rulesOf('contents[3]')).toEqual(['merged']);
    expect(explain('contents[3].parts[1]').map(({ message }) => message)).toEqual([history.at(6)]);
  });

  it('leads to instructions, which go out first', () => {
    expect(pathsOf('systemInstruction')).toEqual(['messages[0].content[0]', 'messages[7].content[0]']);
    expect(rulesOf('systemInstruction.parts[1].text')).toEqual(['developer', 'instruction-place']);
  });

  it('leads from words that stand in to where they stand', () => {
    const { report: told } = gemini.encode(chat(assistant('Hello'), user('Hi')));
    expect(told.explain('contents[0].parts[0]')).toMatchObject([
      { path: 'messages[0]', rules: [{ rule: 'stand-in' }] },
    ]);
    expect(told.explain('contents[1]')).toMatchObject([{ path: 'messages[0]' }]);
    expect(gemini.encode(Messages.empty()).report.explain('contents[0]')).toEqual([]);
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open: MessageInput[] = [user('q'), assistant('', call('look', {}, 'c1'))];
    const [found] = gemini.encode(open, { openTurn: 'cancel' }).report.explain('contents[2].parts[0]');
    expect(found).toMatchObject({ path: 'messages[1]' });
    expect(found?.rules.map(({ rule }) => rule)).toContain('synthesised');
  });

  it.each(['contents.99', 'contents[0].parts[7]', 'model', '', 'contents.length'])('leads nowhere from %j', (path) => {
    expect(explain(path)).toEqual([]);
  });
});
