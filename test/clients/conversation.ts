import { assistant, call, result, store, system, user } from 'message-store/testing';

/** A conversation in which a tool was asked and answered. */
export const conversation = store({
  system: [system('Be brief.')],
  chat: [
    user('Weather in Oslo?'),
    assistant('Let me look.', call('weather', { city: 'Oslo' }, 'toolu_1')),
    result('toolu_1', '-3 °C'),
    assistant('Cold.'),
    user('And in Rome and Bern?'),
  ],
});

/** The tool of that conversation. */
export const definitions = [
  {
    name: 'weather',
    description: 'The weather in a city now',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];
