import { ChatCompletionRequest$outboundSchema as SdkRequest } from '@mistralai/mistralai/models/components';
import { describe, expect, it } from 'vitest';
import { tool } from '../../src/index.ts';
import { encodeToolChoice, encodeTools, mistral, toSdk } from '../../src/formats/mistral/index.ts';

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

describe('tools', () => {
  it('are functions of the wire, as the package sends them', () => {
    const tools = encodeTools([{ name: 'weather', description: 'Current weather', inputSchema }, { name: 'now' }]);
    const sent = [
      { type: 'function', function: { name: 'weather', description: 'Current weather', parameters: inputSchema } },
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ];
    expect(tools).toEqual(sent);
    const request = toSdk(mistral.encode(['Hi']).payload, {
      model: 'm',
      tools,
      toolChoice: encodeToolChoice({ name: 'now' }),
    });
    expect(SdkRequest.parse(request)).toMatchObject({
      tools: sent,
      tool_choice: { type: 'function', function: { name: 'now' } },
    });
  });

  it('may be those that are run', () => {
    expect(encodeTools({ now: tool({ run: () => 'noon' }) })[0]?.function.name).toBe('now');
  });

  it.each(['a.b', 'x'.repeat(65), ''])('refuse the name %j', (name) => {
    expect(() => encodeTools([{ name }])).toThrow('tools[0].name: expected a name like');
  });
});

describe('the choice of a tool', () => {
  it.each(['auto', 'none', 'required'] as const)('is said in the word of the wire: %s', (choice) => {
    expect(encodeToolChoice(choice)).toBe(choice);
  });
});
