/**
 * Events out of the bytes of a response, for who reads streams without a provider's client.
 *
 * @module
 */
export { readJsonLines } from './json-lines.ts';
export { readServerSentEvents } from './server-sent-events.ts';
