import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeToolChoice, encodeTools } from '../../src/formats/bedrock/index.ts';
import { tool } from '../../src/index.ts';

const NO_ARGUMENTS = { json: { type: 'object', properties: {} } };

describe('tools', () => {
  it('are told in the words of the wire', () => {
    const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(encodeTools([{ name: 'weather', description: 'Now', inputSchema: city }, { name: 'now' }])).toEqual([
      { toolSpec: { name: 'weather', description: 'Now', inputSchema: { json: city } } },
      { toolSpec: { name: 'now', inputSchema: NO_ARGUMENTS } },
    ]);
  });

  it('are those that are run, too', () => {
    const look = tool({ description: 'Look', input: z.object({ at: z.number() }), run: () => '' });
    expect(encodeTools({ look })).toMatchObject([
      { toolSpec: { name: 'look', inputSchema: { json: { properties: { at: { type: 'number' } } } } } },
    ]);
  });

  it('have no empty description, which the API refuses', () => {
    expect(encodeTools([{ name: 'now', description: '' }])).toEqual([
      { toolSpec: { name: 'now', inputSchema: NO_ARGUMENTS } },
    ]);
  });

  it.each(['a b', 'a.b', '', 'x'.repeat(65)])('have a name that the API takes, which %j is not', (name) => {
    expect(() => encodeTools([{ name }])).toThrow('tools[0].name: expected a name like');
  });
});

describe('the choice of a tool', () => {
  it('is said in the words of the wire, which has none for none', () => {
    expect(encodeToolChoice('auto')).toEqual({ auto: {} });
    expect(encodeToolChoice('required')).toEqual({ any: {} });
    expect(encodeToolChoice({ name: 'look' })).toEqual({ tool: { name: 'look' } });
    expect(encodeToolChoice('none')).toBeUndefined();
  });
});
