/**
 * The testing kit, for the tests of programs and of this library: builders that read as sentences, ids and times
 * that can be told beforehand, and fast-check arbitraries of every value. No test runner is imported.
 *
 *   chat(user('Weather?'), call('weather', { city: 'Oslo' }), result('weather', '12 °C'), assistant('12 °C.'))
 *
 * @module
 */
export { type Arbitraries, arbitraries } from './arbitraries.ts';
export {
  assistant,
  call,
  chat,
  developer,
  result,
  type ResultOptions,
  store,
  system,
  type Turn,
  user,
} from './builders.ts';
export { fixIdentity, type FixedIdentity, withFixedIdentity } from './identity.ts';
