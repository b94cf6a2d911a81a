import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { tool } from '../../src/index.ts';
import { encodeToolChoice, encodeTools } from '../../src/formats/openai-chat/index.ts';

const schemaOf = (inputSchema: never) => encodeTools([{ name: 'f', inputSchema }])[0]?.function.parameters;

describe('tool definitions', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it('take a JSON Schema, which stays as it is', () => {
    const given = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...city };
    expect(schemaOf(given as never)).toEqual(city);
    expect(given).toHaveProperty('$schema');
  });

  it('take the schema of a library', () => {
    const schema = z.object({ city: z.string().describe('Where') });
    expect(schemaOf(schema as never)).toMatchObject({
      ...city,
      properties: { city: { type: 'string', description: 'Where' } },
    });
  });

  it('take what goes in, not what comes out', () => {
    const schema = z.object({ city: z.string().default('Oslo') });
    expect(schemaOf(schema as never)).not.toHaveProperty('required');
  });

  it('take the tools that are run', () => {
    const tools = {
      now: tool({ description: 'The time', run: () => 'noon' }),
      look: tool({ input: z.object({ at: z.number() }), run: () => '' }),
    };
    expect(encodeTools(tools)).toEqual([
      {
        type: 'function',
        function: { name: 'now', description: 'The time', parameters: { type: 'object', properties: {} } },
      },
      {
        type: 'function',
        function: {
          name: 'look',
          parameters: expect.objectContaining({ properties: { at: { type: 'number' } } }) as unknown,
        },
      },
    ]);
  });

  it.each([
    [[{ name: 'a b' }], 'tools[0].name: expected a name like'],
    [[{ name: 'a' }, { name: 'a' }], 'tools[1].name: expected another name for each tool'],
    [
      [{ name: 'a', inputSchema: { type: 'string' } }],
      'tools[0].inputSchema: expected a schema whose type is "object"',
    ],
    [[{ name: 'a', inputSchema: 7 }], 'tools[0].inputSchema: expected a schema'],
    [[{ name: 'a', inputSchema: mini.object({}) }], 'that tells its JSON Schema, which this one of zod does not'],
    [
      [{ name: 'a', inputSchema: z.object({ day: z.date() }) }],
      'tools[0].inputSchema: expected a schema that JSON Schema can tell (Date cannot be represented',
    ],
    [{ 'a b': tool({ run: () => '' }) }, 'a name like'],
  ])('refuse %j', (tools, message) => {
    expect(() => encodeTools(tools as never)).toThrow(message);
  });
});

describe('the choice of a tool', () => {
  it('is said in the words of the wire', () => {
    expect(encodeToolChoice('auto')).toBe('auto');
    expect(encodeToolChoice('required')).toBe('required');
    expect(encodeToolChoice('none')).toBe('none');
    expect(encodeToolChoice({ name: 'look' })).toEqual({ type: 'function', function: { name: 'look' } });
  });
});
