import type { ToolAnnotation } from '../../annotations/tool-annotation.ts';
import { quoted } from './quoted.ts';

/**
 * How a call's arguments differ from what the tool takes: unknown names, what is missing, another type. With a schema by
 * the schema, else by the annotation's names alone.
 *
 * @returns the rest of a sentence; undefined if they fit
 */
export function schemaMismatch(
  args: Readonly<Record<string, unknown>>,
  annotation: ToolAnnotation,
  schema: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const properties = schema === undefined ? annotation.arguments : recordOf(schema['properties']);
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) return `has the unknown argument ${quoted(unknown)}`;
  if (schema === undefined) return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const missing = required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) return `lacks the argument ${quoted(missing)}`;
  const wrong = Object.entries(args).find(
    ([name, value]) => !fits(value, recordOf(properties[name])['type']),
  );
  return wrong === undefined ? undefined : `has the argument ${quoted(wrong[0])} of another type`;
}

function fits(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => fits(value, each));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
