import type { BedrockPayload, Encoded, Repair } from '../../src/formats/bedrock/index.ts';

/** Instructions and messages, and what is told of them: without the definitions of tools that are made up. */
export function conversationPart({ payload, report }: Encoded<BedrockPayload>): {
  payload: BedrockPayload;
  report: { losses: readonly unknown[]; repairs: readonly Repair[] };
} {
  const { toolConfig: _, ...said } = payload;
  const { losses, repairs } = report;
  return { payload: said, report: { losses, repairs: repairs.filter(({ rule }) => rule !== 'tool-definitions') } };
}
