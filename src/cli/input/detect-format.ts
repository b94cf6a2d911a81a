import { signsOf } from './signs.ts';

/** What several chat formats share; a history that has nothing else reads alike in all of them. */
const CHAT = ['empty', 'body.messages', 'item.content'];

const OPENAI_LIKE = [
  ...CHAT,
  'body.choices',
  'item.name',
  'item.role=system',
  'item.role=tool',
  'item.tool_call_id',
  'item.tool_calls',
  'function.arguments:string',
  'block.type=text',
  'block.type=image_url',
  'block.type=input_audio',
  'block.type=file',
];

/** What speaks for each format, see {@link signsOf}. Of formats for which as much speaks, the first is meant. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  'openai-chat': [
    ...OPENAI_LIKE,
    'body.response_format',
    'item.role=developer',
    'item.role=function',
    'item.function_call',
    'item.refusal',
    'item.audio',
    'call.custom',
    'block.image_url:object',
    'block.input_audio:object',
    'block.file:object',
    'block.type=refusal',
  ],
  mistral: [
    ...OPENAI_LIKE,
    'body.prompt_mode',
    'body.random_seed',
    'body.safe_prompt',
    'item.prefix',
    'block.thinking:list',
    'block.image_url:object',
    'block.image_url:string',
    'block.input_audio:string',
    'block.type=document_url',
    'block.file_id',
    'block.type=reference',
  ],
  ollama: [
    ...CHAT,
    'body.done',
    'body.done_reason',
    'body.keep_alive',
    'body.message',
    'body.options',
    'body.think',
    'item.images',
    'item.role=system',
    'item.role=tool',
    'item.thinking',
    'item.tool_call_id',
    'item.tool_calls',
    'item.tool_name',
    'function.arguments:object',
  ],
  anthropic: [
    ...CHAT,
    'body.anthropic_version',
    'body.stop_reason',
    'body.stop_sequences',
    'body.system',
    'body.thinking',
    'item.role=system',
    'block.cache_control',
    'block.source',
    'block.thinking:string',
    'block.type=text',
    'block.type=container_upload',
    'block.type=document',
    'block.type=image',
    'block.type=redacted_thinking',
    'block.type=search_result',
    'block.type=server_tool_use',
    'block.type=tool_result',
    'block.type=tool_use',
  ],
  bedrock: [
    'body.messages',
    'body.additionalModelRequestFields',
    'body.guardrailConfig',
    'body.inferenceConfig',
    'body.stopReason',
    'body.system:list',
    'item.content',
    'union.audio',
    'union.cachePoint',
    'union.citationsContent',
    'union.document',
    'union.guardContent',
    'union.image',
    'union.reasoningContent',
    'union.searchResult',
    'union.text',
    'union.toolResult',
    'union.toolUse',
    'union.video',
  ],
  gemini: [
    'body.candidates',
    'body.contents',
    'body.generationConfig',
    'body.promptFeedback',
    'body.safetySettings',
    'body.systemInstruction',
    'item.role=model',
    'part.codeExecutionResult',
    'part.executableCode',
    'part.fileData',
    'part.functionCall',
    'part.functionResponse',
    'part.inlineData',
    'part.text',
    'part.thoughtSignature',
  ],
  'openai-responses': [
    'body.input',
    'body.instructions',
    'body.object=response',
    'body.output:list',
    'body.previous_response_id',
    'item.call_id',
    'item.content',
    'item.encrypted_content',
    'item.phase',
    'item.role=developer',
    'item.role=system',
    'item.summary',
    'item.type=compaction',
    'item.type=custom_tool_call',
    'item.type=custom_tool_call_output',
    'item.type=function_call',
    'item.type=function_call_output',
    'item.type=item_reference',
    'item.type=message',
    'item.type=reasoning',
    'block.type=input_file',
    'block.type=input_image',
    'block.type=input_text',
    'block.type=output_text',
    'block.type=refusal',
  ],
};

/**
 * The name of the format for which most speaks in the shape of a conversation; undefined where nothing speaks for any.
 * The library's own messages, which may hold the parts of any provider, are read as those of OpenAI Chat.
 */
export function formatByShape(conversation: unknown): string | undefined {
  const signs = signsOf(conversation);
  if (signs.has('item.createdAt')) return 'openai-chat';
  let best: { readonly name?: string; readonly count: number } = { count: 0 };
  for (const [name, known] of Object.entries(SIGNS)) {
    const count = known.filter((sign) => signs.has(sign)).length;
    if (count > best.count) best = { name, count };
  }
  return best.name;
}
