import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../../src/index.ts';
import { encodeToolChoice, encodeTools } from '../../src/formats/gemini/index.ts';

const declared = (inputSchema?: object) =>
  encodeTools([{ name: 'f', ...(inputSchema && { inputSchema }) } as never])[0]?.functionDeclarations[0];

describe('the definitions of tools', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it('are declarations of functions, all in one tool', () => {
    expect(
      encodeTools([
        { name: 'get_weather', description: 'Current weather', inputSchema: city },
        { name: 'get_time', description: 'Local time' },
      ]),
    ).toEqual([
      {
        functionDeclarations: [
          { name: 'get_weather', description: 'Current weather', parametersJsonSchema: city },
          { name: 'get_time', description: 'Local time' },
        ],
      },
    ]);
  });

  it('have no schema where a tool takes nothing', () => {
    for (const schema of [
      undefined,
      { type: 'object' },
      { type: 'object', properties: {}, additionalProperties: false },
      z.object({}),
    ])
      expect(declared(schema)).toEqual({ name: 'f' });
  });

  it('have one where it takes what it does not name', () => {
    for (const schema of [
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', $ref: '#/$defs/a', $defs: { a: city } },
      { type: 'object', properties: {}, patternProperties: { '^x': {} } },
    ])
      expect(declared(schema)?.parametersJsonSchema).toEqual(schema);
  });

  it('may be the tools that are run', () => {
    const run = () => '';
    expect(encodeTools({ now: tool({ description: 'The time', run }) })).toEqual([
      { functionDeclarations: [{ name: 'now', description: 'The time' }] },
    ]);
  });

  it('are no tool where there are none', () => {
    expect(encodeTools([])).toEqual([]);
  });

  it.each(['a b', '1a', 'a'.repeat(65), ''])('refuse a name that the wire does not take: %j', (name) => {
    expect(() => encodeTools([{ name }])).toThrow(/tools\[0\].name: expected a name like/);
  });

  it('take names with dots, colons and dashes', () => {
    expect(encodeTools([{ name: 'mcp.files:read-all' }])[0]?.functionDeclarations).toHaveLength(1);
  });
});

describe('the choice of a tool', () => {
  it.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ name: 'look' }, { mode: 'ANY', allowedFunctionNames: ['look'] }],
  ] as const)('is a mode: %j', (choice, functionCallingConfig) => {
    expect(encodeToolChoice(choice)).toEqual({ functionCallingConfig });
  });
});
