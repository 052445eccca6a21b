import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { BulkheadError, type ModelCall } from '@bulkhead/protocol';
import type { ToolDefinition } from '@bulkhead/protocol/chat';
import { parseJsonObject } from './json-object.ts';
import type { ProviderAdapter, RequestWishes } from './provider-adapter.ts';
import { toPrompt } from './to-prompt.ts';

/**
 * One request in the words of the AI SDK's model specification (v4), finished by the provider's
 * adapter.
 * @throws BulkheadError `internal` if a tool's schema is not a JSON object
 */
export function toCallOptions(
  call: ModelCall,
  adapter: ProviderAdapter,
  wishes: RequestWishes,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const tools = call.tools.length === 0 ? {} : { tools: toTools(call.tools) };
  const { metadataKey, callArguments, callIds, cachePoint } = adapter;
  const all: RequestWishes = { ...wishes, cacheKey: call.cacheKey };
  const set = cachePoint && ((message: LanguageModelV4Message) => cachePoint(message, all));
  const options: LanguageModelV4CallOptions = {
    prompt: toPrompt(call, { metadataKey, callArguments, callIds, model: wishes.model, cachePoint: set }),
    ...(call.maxOutputTokens === undefined ? {} : { maxOutputTokens: call.maxOutputTokens }),
    ...tools,
    ...(call.forbidTools && call.tools.length > 0 ? { toolChoice: { type: 'none' } } : {}),
    includeRawChunks: adapter.usageOf !== undefined,
    abortSignal,
  };
  return adapter.prepare(options, all);
}

/** @throws BulkheadError `internal` if a definition's schema is no JSON object */
function toTools(tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const inputSchema = parseJsonObject(tool.inputSchemaJson);
    if (inputSchema === undefined)
      throw new BulkheadError('internal', `the schema of tool ${tool.name} is no JSON object`);
    return { type: 'function', name: tool.name, description: tool.description, inputSchema };
  });
}
