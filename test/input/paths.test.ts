import { ContentParts, Message, Messages, MessageStore, MessageStoreError, Sections, ToolCalls } from 'message-store';
import { describe, expect, it } from 'vitest';

const TIME = '2026-01-31T12:00:00.000Z';
const turn = (id: string, role: string, more: object = {}): Record<string, unknown> => ({
  id,
  createdAt: TIME,
  role,
  content: id,
  ...more,
});

/** A store in stored form that uses everything. */
const whole = (): Record<string, unknown> => ({
  version: 1,
  parameters: { model: 'small' },
  sections: [
    { name: 'rules', messages: [turn('m0', 'system')] },
    {
      name: 'main',
      policy: { pin: true },
      messages: [
        turn('m1', 'user', { name: 'Ann', _metadata: { tags: ['a'] } }),
        turn('m2', 'assistant', {
          parentId: 'm1',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'https://example.com/' } },
          ],
          tool_calls: [
            { id: 'c1', name: 'f', arguments: { a: [1] } },
            { id: 'c2', name: 'g', arguments: '{}' },
          ],
        }),
        turn('m3', 'tool', {
          content: [{ type: 'text', text: 'ok' }],
          tool_result: { content: [{ type: 'text', text: 'ok' }], call_id: 'c1', tool_name: 'f', is_error: false },
        }),
        turn('m4', 'assistant', { incomplete: { reason: 'cut' }, vendor: { a: 1 } }),
      ],
    },
  ],
});

/** The same with one place changed. */
function spoilt(keys: readonly (string | number)[], value: unknown): Record<string, unknown> {
  const document = whole();
  const holder = keys.slice(0, -1).reduce<unknown>((at, key) => at?.[key as never], document);
  Reflect.set(holder as object, keys.at(-1) as string, value);
  return document;
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (MessageStoreError.isInstance(error)) {
      expect(error.message.startsWith(error.path)).toBe(true);
      return error.message;
    }
    throw error;
  }
  return 'accepted';
}

const ROLES = 'one of "system", "developer", "user", "assistant", "tool"';
const ID = 'an id: text of 1 to 255 UTF-8 bytes without control characters';
const CALL_ID = 'a tool call id: non-empty text without control characters';
const MAIN = ['sections', 1, 'messages'] as const;
const M = 'sections.main.messages';

/** Where, what, what the loose door says, and what the strict one says. */
const CASES: readonly (readonly [keys: readonly (string | number)[], value: unknown, loose: string, strict: string])[] =
  [
    [
      [...MAIN, 3, 'role'],
      'robot',
      `${M}[3].role: expected ${ROLES}, got "robot"`,
      `${M}[3].role: expected ${ROLES}, got "robot"`,
    ],
    [[...MAIN, 0, 'role'], 5, `${M}[0].role: expected ${ROLES}, got 5`, `${M}[0].role: expected ${ROLES}, got 5`],
    [
      [...MAIN, 1, 'id'],
      'a\u0000',
      `${M}[1].id: expected ${ID}, got "a\\u0000"`,
      `${M}[1].id: expected ${ID}, got "a\\u0000"`,
    ],
    [
      [...MAIN, 1, 'parentId'],
      '',
      `${M}[1].parentId: expected ${ID}, got ""`,
      `${M}[1].parentId: expected ${ID}, got ""`,
    ],
    [
      [...MAIN, 1, 'createdAt'],
      'soon',
      `${M}[1].createdAt: expected an ISO 8601 date and time (2026-01-31T12:00:00.000Z), got "soon"`,
      `${M}[1].createdAt: expected an ISO 8601 date and time (2026-01-31T12:00:00.000Z), got "soon"`,
    ],
    [[...MAIN, 0, 'name'], 5, `${M}[0].name: expected a string, got 5`, `${M}[0].name: expected a string, got 5`],
    [
      [...MAIN, 0, 'content'],
      5,
      `${M}[0].content: expected text or content parts (other values are unsupported), got 5`,
      `${M}[0].content: expected a string or a list, got 5`,
    ],
    [
      [...MAIN, 1, 'content', 1],
      5,
      `${M}[1].content[1]: expected text or a content part (other values are unsupported), got 5`,
      `${M}[1].content[1]: expected an object, got 5`,
    ],
    [
      [...MAIN, 1, 'content', 1, 'type'],
      5,
      `${M}[1].content[1].type: expected a string, got 5`,
      `${M}[1].content[1].type: expected a string, got 5`,
    ],
    [
      [...MAIN, 1, 'content', 1, 'image_url', 'url'],
      '\ud83d',
      `${M}[1].content[1].image_url.url: expected well-formed Unicode (no lone surrogates), got "\\ud83d"`,
      'sections[1].messages[1].content[1].image_url.url: expected well-formed Unicode (no lone surrogates), got "\\ud83d"',
    ],
    [
      [...MAIN, 1, 'tool_calls'],
      5,
      `${M}[1].tool_calls: expected a list of tool calls, got 5`,
      `${M}[1].tool_calls: expected a list, got 5`,
    ],
    [
      [...MAIN, 1, 'tool_calls', 1],
      'g',
      `${M}[1].tool_calls[1]: expected a tool call with a name and arguments, got "g"`,
      `${M}[1].tool_calls[1]: expected an object, got "g"`,
    ],
    [
      [...MAIN, 1, 'tool_calls', 1, 'id'],
      'a\n',
      `${M}[1].tool_calls[1].id: expected ${CALL_ID}, got "a\\n"`,
      `${M}[1].tool_calls[1].id: expected ${CALL_ID}, got "a\\n"`,
    ],
    [
      [...MAIN, 1, 'tool_calls', 1, 'name'],
      {},
      `${M}[1].tool_calls[1].name: expected a string, got an object`,
      `${M}[1].tool_calls[1].name: expected a string, got an object`,
    ],
    [
      [...MAIN, 1, 'tool_calls', 1, 'arguments'],
      true,
      `${M}[1].tool_calls[1].arguments: expected an object or JSON text, got true`,
      `${M}[1].tool_calls[1].arguments: expected a string or an object, got true`,
    ],
    [
      [...MAIN, 1, 'tool_calls', 0, 'arguments', 'a', 0],
      Number.NaN,
      `${M}[1].tool_calls[0].arguments.a[0]: expected a finite number, got NaN`,
      'sections[1].messages[1].tool_calls[0].arguments.a[0]: expected a finite number, got NaN',
    ],
    [
      [...MAIN, 2, 'tool_result'],
      'ok',
      `${M}[2].tool_result: expected an object, got "ok"`,
      `${M}[2].tool_result: expected an object, got "ok"`,
    ],
    [
      [...MAIN, 2, 'tool_result', 'call_id'],
      'a\n',
      `${M}[2].tool_result.call_id: expected ${CALL_ID}, got "a\\n"`,
      `${M}[2].tool_result.call_id: expected ${CALL_ID}, got "a\\n"`,
    ],
    [
      [...MAIN, 2, 'tool_result', 'content', 0, 'type'],
      5,
      `${M}[2].tool_result.content[0].type: expected a string, got 5`,
      `${M}[2].tool_result.content[0].type: expected a string, got 5`,
    ],
    [
      [...MAIN, 0, '_metadata'],
      'a',
      `${M}[0]._metadata: expected an object, got "a"`,
      `${M}[0]._metadata: expected an object, got "a"`,
    ],
    [
      [...MAIN, 0, '_metadata', 'tags', 0],
      1n,
      `${M}[0]._metadata.tags[0]: expected a JSON value, got 1n`,
      'sections[1].messages[0]._metadata.tags[0]: expected a JSON value, got 1n',
    ],
    [
      [...MAIN, 3, 'incomplete'],
      'cut',
      `${M}[3].incomplete: expected an object with a reason, got "cut"`,
      `${M}[3].incomplete: expected an object, got "cut"`,
    ],
    [
      [...MAIN, 3, 'vendor', 'a b'],
      new Map(),
      `${M}[3].vendor["a b"]: expected a JSON value, got an object of class Map`,
      'sections[1].messages[3].vendor["a b"]: expected a JSON value, got an object of class Map',
    ],
    [
      ['sections', 1, 'name'],
      5,
      'sections[1].name: expected a string, got 5',
      'sections[1].name: expected a string, got 5',
    ],
    [
      ['sections', 1, 'policy'],
      'pin',
      'sections.main.policy: expected an object, got "pin"',
      'sections.main.policy: expected an object, got "pin"',
    ],
    [
      ['sections', 1],
      'main',
      'sections[1]: expected a section: an object with a name and messages, got "main"',
      'sections[1]: expected an object, got "main"',
    ],
    [
      ['sections'],
      'main',
      'sections: expected a list of sections, got "main"',
      'sections: expected a list, got "main"',
    ],
    [['parameters'], [1], 'parameters: expected an object, got a list', 'parameters: expected an object, got a list'],
    [['version'], 'one', 'version: expected a whole number, got "one"', 'version: expected a whole number, got "one"'],
  ];

describe('what is wrong inside a store', () => {
  it('is nothing to begin with', () => {
    expect(MessageStore.from(whole()).equals(MessageStore.fromJSON(whole()))).toBe(true);
  });

  it.each(CASES)(
    'is named with its path by the loose door and the strict one: %j (%#)',
    (keys, value, loose, strict) => {
      expect(messageOf(() => MessageStore.from(spoilt(keys, value)))).toBe(loose);
      expect(messageOf(() => MessageStore.fromJSON(spoilt(keys, value)))).toBe(strict);
    },
  );

  it('has the same path from the text of a document', () => {
    for (const [keys, value, , strict] of CASES)
      if (['string', 'boolean'].includes(typeof value) && value !== '\ud83d')
        expect(messageOf(() => MessageStore.parse(JSON.stringify(spoilt(keys, value))))).toBe(strict);
  });

  it('has a path that begins at the messages, or at the message, where that is read alone', () => {
    const messages = spoilt([...MAIN, 1, 'content', 1, 'type'], 5)['sections'] as { messages: unknown[] }[];
    const list = messages[1]?.messages as never[];
    expect(messageOf(() => Messages.from(list))).toBe('[1].content[1].type: expected a string, got 5');
    expect(messageOf(() => Messages.fromJSON(list))).toBe('[1].content[1].type: expected a string, got 5');
    expect(messageOf(() => Message.from(list[1] as never))).toBe('content[1].type: expected a string, got 5');
    expect(messageOf(() => Message.fromJSON(list[1]))).toBe('content[1].type: expected a string, got 5');
  });

  it('has a path that begins with the index where a list is read alone', () => {
    const part = { type: 'text', text: 'a' };
    const call = { id: 'c1', name: 'f', arguments: {} };
    const section = { name: 'a', messages: [] };
    expect(messageOf(() => ContentParts.fromJSON([part, { type: 5 }]))).toBe('[1].type: expected a string, got 5');
    expect(messageOf(() => ToolCalls.fromJSON([call, { ...call, name: 5 }]))).toBe(
      '[1].name: expected a string, got 5',
    );
    expect(messageOf(() => Sections.fromJSON([section, { ...section, name: 5 }]))).toBe(
      '[1].name: expected a string, got 5',
    );
  });

  it('is told by the fast door too: what is nested too deep', () => {
    const deep = `${'['.repeat(1100)}${']'.repeat(1100)}`;
    expect(messageOf(() => MessageStore.parse(`{"version":1,"sections":[],"parameters":{"a":${deep}}}`))).toMatch(
      /^parameters\.a\[0\]\[0\].*: expected nesting of at most 1008 levels/,
    );
  });
});
