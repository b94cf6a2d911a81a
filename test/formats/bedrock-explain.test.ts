import { describe, expect, it } from 'vitest';
import { bedrock } from '../../src/formats/bedrock/index.ts';
import { ContentPart, Message, Messages } from '../../src/index.ts';
import { assistant, call, chat, developer, result, system, user } from '../../src/testing/index.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const PDF = ContentPart.of('file', { file: { file_data: 'data:application/pdf;base64,JVBERi0=', file_name: 'a.pdf' } });

const history = chat(
  system('Be brief.'),
  user('Look.'),
  assistant([ContentPart.reasoning('Hm.'), 'I will.'], call('look', '{"at":', 'c1'), call('read', {}, 'c2')),
  result('c1', ['A cat.', ContentPart.imageUrl(PNG)]),
  result('c2', 'Text.', { status: 'denied' }),
  assistant('Now'),
  assistant('then.'),
  developer('Be kind.'),
  user(['And', ContentPart.of('hologram', { url: 'x' }), 'this?']),
);
const { payload, report } = bedrock.encode(history, { tools: [{ name: 'look' }, { name: 'read' }] });
const explain = (path: string) => report.explain(path);
const pathsOf = (path: string) => explain(path).map((found) => found.path);
const rulesOf = (path: string) => explain(path).flatMap(({ rules }) => rules.map(({ rule }) => rule));

describe('explain', () => {
  it('leads from a message to the stored one, and to what was told of it', () => {
    expect(payload.messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 3],
      ['user', 2],
      ['assistant', 2],
      ['user', 2],
    ]);
    expect(explain('messages.0.content')).toEqual([{ path: 'messages[1]', message: history.at(1), rules: [] }]);
    expect(pathsOf('messages[1].role')).toEqual(['messages[2]']);
    expect(rulesOf('messages.1')).toEqual(['reasoning', 'malformed-arguments']);
  });

  it('leads to parts and calls', () => {
    expect(explain('messages.4.content.1.text')).toEqual([
      { path: 'messages[8].content[2]', message: history.at(8), part: history.at(8)?.content.parts.at(2), rules: [] },
    ]);
    expect(explain('messages.1.content.1.toolUse.input')).toEqual([
      {
        path: 'messages[2].toolCalls[0]',
        message: history.at(2),
        part: history.at(2)?.toolCalls.first(),
        rules: [expect.objectContaining({ rule: 'malformed-arguments' }) as unknown],
      },
    ]);
  });

  it('leads from an answer to its message, and to what is in it', () => {
    expect(explain('messages.2.content.1.toolResult.status')).toEqual([
      {
        path: 'messages[4]',
        message: history.at(4),
        part: history.at(4)?.toolResult,
        rules: [expect.objectContaining({ rule: 'status' }) as unknown],
      },
    ]);
    expect(pathsOf('messages.2.content.0.toolResult.content.1.image')).toEqual(['messages[3].content[1]']);
    expect(pathsOf('messages.2')).toEqual(['messages[3]', 'messages[4]']);
  });

  it('leads from paths as AWS names members, counted from one', () => {
    expect(pathsOf('messages.3.member.content.1.member.toolResult.content.2.member.image')).toEqual([
      'messages[3].content[1]',
    ]);
    const told = "Value at 'messages.4.member.content.2.member.text' failed to satisfy constraint";
    expect(explain(`1 validation error detected: ${told}`)).toEqual(explain('messages.3.content.1.text'));
    expect(pathsOf('messages.1.member')).toEqual(pathsOf('messages.0'));
    expect(pathsOf('messages.0.member')).toEqual([]);
  });

  it('leads to all messages that went out as one', () => {
    expect(pathsOf('messages.3')).toEqual(['messages[5]', 'messages[6]']);
    expect(rulesOf('messages.3')).toEqual(['merged']);
    expect(explain('messages.3.content.1').map(({ message }) => message)).toEqual([history.at(6)]);
  });

  it('leads to instructions, which go out first', () => {
    expect(pathsOf('system')).toEqual(['messages[0]', 'messages[7]']);
    expect(rulesOf('system.1.text')).toEqual(['developer-role', 'system-place']);
  });

  it('leads from what was put in to where it stands', () => {
    const told = bedrock.encode(chat(assistant('Hello'), user(PDF), assistant('Bye')), { prefill: false }).report;
    expect(told.explain('messages.0.content.0')).toMatchObject([
      { path: 'messages[0]', rules: [{ rule: 'starts-with-assistant' }] },
    ]);
    expect(told.explain('messages.1')).toMatchObject([{ path: 'messages[0]' }]);
    expect(told.explain('messages.2.content.1.text')).toMatchObject([
      { path: 'messages[1].content[0]', rules: [{ rule: 'document-words' }] },
    ]);
    expect(told.explain('messages.4')).toMatchObject([
      { path: 'messages[2]', rules: [{ rule: 'ends-with-assistant' }] },
    ]);
    expect(bedrock.encode(Messages.empty()).report.explain('messages.0')).toEqual([]);
  });

  it('leads from definitions that were made up to the first call', () => {
    const told = bedrock.encode(history).report;
    expect(told.explain('toolConfig.tools.1.toolSpec.inputSchema')).toMatchObject([
      { path: 'messages[2].toolCalls[0]', rules: [{ rule: 'malformed-arguments' }, { rule: 'tool-definitions' }] },
    ]);
  });

  it('leads from cache points to what they stand behind', () => {
    const marked = ContentPart.of('text', { text: 'x', cache_control: { type: 'ephemeral' } });
    const told = bedrock.encode(chat(user('a'), user(['b', marked]))).report;
    expect(told.explain('messages.0.content.3.cachePoint').map(({ path }) => path)).toEqual(['messages[1].content[1]']);
  });

  it('leads from a made-up answer to the message of its call', () => {
    const open = Messages.from(['Hi', Message.assistantToolCalls([{ id: 'c1', name: 'look' }])]);
    const [found] = bedrock.encode(open, { openTurn: 'cancel' }).report.explain('messages.2.content.0');
    expect(found).toMatchObject({ path: 'messages[1]', message: open.at(1) });
    expect(found?.rules.map(({ rule }) => rule)).toContain('synthesised');
  });

  it.each(['messages.99', 'messages[0].content[7]', 'toolConfig', 'model', '', 'messages.length'])(
    'leads nowhere from %j',
    (path) => {
      expect(explain(path)).toEqual([]);
    },
  );
});
