/**
 * The testing kit, for the tests of programs and of this library: builders that read as sentences, ids and times
 * that can be told beforehand, fast-check arbitraries of every value, checkers of requests, and the conformance suite of
 * storages. No test runner is imported.
 *
 * A checker says which rules of a provider a request breaks; it knows nothing of the formats.
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
export { checkAnthropic } from './check-anthropic.ts';
export { type BedrockModelRules, checkBedrock } from './check-bedrock.ts';
export { checkGemini } from './check-gemini.ts';
export { checkMistral } from './check-mistral.ts';
export { checkOllama } from './check-ollama.ts';
export { checkOpenAIChat, type OpenAIChatRules } from './check-openai-chat.ts';
export { checkOpenAIResponses } from './check-openai-responses.ts';
export { fixIdentity, type FixedIdentity, withFixedIdentity } from './identity.ts';
export { storageConformance } from './storage/conformance.ts';
export {
  missingNeeds,
  type Need,
  type SpawnedProgram,
  type StorageCase,
  type StorageHarness,
} from './storage/harness.ts';
export { runStorageProgram } from './storage/programs.ts';
export { type StorageModel, storageModel } from './storage/model.ts';
export type { NodeRef, StepExpectation, StepOp, StorageStep } from './storage/model-steps.ts';
