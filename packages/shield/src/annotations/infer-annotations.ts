import type { ArgumentRole, ToolAnnotation, ToolAnnotations } from '@bulkhead/protocol';
import { inferEffect, type ToolDefinition } from './infer-effect.ts';
import { inferResult } from './infer-result.ts';
import { inferRole } from './infer-role.ts';

/**
 * Guesses annotations from what a server says of its tools, by general word lists. A guess for a person to look at: the
 * definitions are the server's own words, so a server that lies here is believed. What nothing tells of is an effect
 * that asks, and a result that anybody can write.
 */
export function inferAnnotations(definitions: readonly ToolDefinition[]): ToolAnnotations {
  return new Map(definitions.map((definition) => [definition.name, inferAnnotation(definition)]));
}

function inferAnnotation(definition: ToolDefinition): ToolAnnotation {
  const effect = inferEffect(definition);
  const roles: [string, ArgumentRole][] = Object.entries(object(definition.inputSchema['properties'])).map(
    ([name, schema]) => [name, inferRole(name, object(schema), effect)],
  );
  return {
    tool: definition.name,
    effect,
    sink: 'mcp',
    arguments: Object.fromEntries(roles),
    result: inferResult(definition, effect),
  };
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
