import { create } from '@bufbuild/protobuf';
import type { ToolGroup } from '@bulkhead/protocol/agent';
import {
  type ToolCall,
  type ToolDefinition,
  ToolDefinitionSchema,
  type ToolMessage,
  ToolMessageSchema,
} from '@bulkhead/protocol/chat';
import { parseObject, textList } from './json-object.ts';

/** Name of the meta-tool that loads groups of tools [L3]. */
export const LOAD_TOOLS = 'load_tools';

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: { groups: { type: 'array', items: { type: 'string' } } },
  required: ['groups'],
});

/** The result of a call of `load_tools`. */
export interface LoadedGroups {
  readonly tools: readonly ToolDefinition[];
  readonly unknown: readonly string[];
  readonly known: readonly string[];
}

/**
 * The definition of `load_tools`, the first of every request. It stays when all groups are loaded:
 * the start of a request must not change, or the provider's prefix cache is lost.
 *
 * @param groups all existing groups, in a fixed order
 */
export function loadToolsDefinition(groups: readonly Pick<ToolGroup, 'name' | 'summary'>[]): ToolDefinition {
  const list = groups.map(({ name, summary }) => (summary === '' ? name : `${name} (${summary})`));
  const known = list.length === 0 ? 'There are no groups.' : `Groups: ${list.join('; ')}.`;
  return create(ToolDefinitionSchema, {
    name: LOAD_TOOLS,
    description: `Load groups of tools for later calls. ${known}`,
    inputSchemaJson: INPUT_SCHEMA,
    group: 'meta',
    readOnly: true,
  });
}

/**
 * The groups a call of `load_tools` asks for.
 *
 * @returns an empty list if the arguments are not `{"groups": [name, ...]}` with at least one name
 */
export function requestedGroups(call: ToolCall): string[] {
  return textList(parseObject(call.argumentsJson)?.['groups']);
}

/**
 * The result of a call of `load_tools`.
 *
 * @param delivery the definitions found for `requestedGroups(call)`
 */
export function loadToolsResult(call: ToolCall, delivery: LoadedGroups): ToolMessage {
  const known = delivery.known.length === 0 ? 'none' : delivery.known.join(', ');
  const loaded = delivery.tools.map(({ name }) => name).join(', ');
  const text: string[] = [];
  if (requestedGroups(call).length === 0) {
    text.push(`load_tools takes {"groups": ["name", ...]}. Known groups: ${known}.`);
  } else {
    if (loaded !== '') text.push(`Loaded: ${loaded}.`);
    if (delivery.unknown.length > 0) {
      text.push(`Unknown groups: ${delivery.unknown.join(', ')}. Known groups: ${known}.`);
    }
    if (text.length === 0) text.push('Nothing new: these groups are loaded already.');
  }
  return create(ToolMessageSchema, {
    callId: call.callId,
    name: LOAD_TOOLS,
    text: text.join('\n'),
    isError: delivery.unknown.length > 0 || requestedGroups(call).length === 0,
    ownWords: true,
  });
}
