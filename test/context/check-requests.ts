import type { Assembly } from 'message-store';
import { anthropic } from 'message-store/formats/anthropic';
import { bedrock } from 'message-store/formats/bedrock';
import { gemini } from 'message-store/formats/gemini';
import { mistral } from 'message-store/formats/mistral';
import { ollama } from 'message-store/formats/ollama';
import { openaiChat } from 'message-store/formats/openai-chat';
import { openaiResponses } from 'message-store/formats/openai-responses';
import {
  checkAnthropic,
  checkBedrock,
  checkGemini,
  checkMistral,
  checkOllama,
  checkOpenAIChat,
  checkOpenAIResponses,
} from 'message-store/testing';
import { expect } from 'vitest';

/** Expects that every provider takes an assembly as a request. */
export function checkRequests(assembly: Assembly): void {
  const options = { openTurn: 'cancel' } as const;
  expect(checkAnthropic(anthropic.encode(assembly, options).payload)).toEqual([]);
  expect(checkBedrock(bedrock.encode(assembly, options).payload)).toEqual([]);
  expect(checkGemini(gemini.encode(assembly, options).payload)).toEqual([]);
  expect(checkMistral(mistral.encode(assembly, options).payload)).toEqual([]);
  expect(checkOllama(ollama.encode(assembly, options).payload)).toEqual([]);
  expect(checkOpenAIChat(openaiChat.encode(assembly, options).payload)).toEqual([]);
  expect(checkOpenAIResponses(openaiResponses.encode(assembly, options).payload)).toEqual([]);
}
