import type { ToolAnnotation } from '@bulkhead/protocol';
import { quoted } from './quoted.ts';

/**
 * Finds an argument that the annotation does not list, where no schema refuses it: its effect is
 * unknown. Skips values that can't name a person or thing: booleans, small numbers, dates and
 * times.
 *
 * @returns the rest of a sentence; undefined if there is none
 */
export function unlistedArgument(
  args: Readonly<Record<string, unknown>>,
  annotation: ToolAnnotation,
): string | undefined {
  const unlisted = Object.entries(args).find(
    ([name, value]) => !Object.hasOwn(annotation.arguments, name) && !isInnocent(value),
  );
  return unlisted === undefined
    ? undefined
    : `has the argument ${quoted(unlisted[0])}, which has no description`;
}

const TIME = /^(?:\d{4}-\d{2}-\d{2})?[T ]?(?:\d{1,2}:\d{2}(?::\d{2})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

function isInnocent(value: unknown): boolean {
  if (typeof value === 'string') return TIME.test(value);
  if (typeof value === 'number') return Math.abs(value) < 1_000_000;
  return typeof value === 'boolean' || value === null;
}

/**
 * Returns how a call's arguments differ from the tool's schema: unknown, missing or wrongly typed.
 *
 * @returns the rest of a sentence; undefined if they fit
 */
export function schemaMismatch(
  args: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): string | undefined {
  const properties = recordOf(schema['properties']);
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) return `has the unknown argument ${quoted(unknown)}`;
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
