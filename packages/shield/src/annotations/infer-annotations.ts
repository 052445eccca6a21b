import type { ArgumentRole, ToolAnnotation, ToolAnnotations } from '@bulkhead/protocol';
import { inferEffect, type ToolDefinition } from './infer-effect.ts';
import { inferResult } from './infer-result.ts';
import { inferRole } from './infer-role.ts';

/**
 * Guesses annotations from a server's tool definitions, by general word lists. A person should
 * review the guess: a server that lies in its definitions is believed. Without evidence, an effect
 * asks, and anyone can write a result.
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
