import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { BulkheadError } from '@bulkhead/protocol';
import type { ToolDefinition } from '@bulkhead/protocol/chat';
import { parseJsonObject } from './json-object.ts';

/** @throws BulkheadError `internal` if a definition's schema is no JSON object */
export function toTools(tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const inputSchema = parseJsonObject(tool.inputSchemaJson);
    if (inputSchema === undefined)
      throw new BulkheadError('internal', `the schema of tool ${tool.name} is no JSON object`);
    return { type: 'function', name: tool.name, description: tool.description, inputSchema };
  });
}
