import { jsonDepth } from '@bulkhead/log/session/json-depth';
import { isObject, type JsonSchema } from './json-schema.ts';

/** Deepest nesting of a schema. */
const MAX_DEPTH = 50;

/**
 * Reads the schema of a client tool's arguments.
 *
 * @param json empty for any arguments
 * @returns for anything but the schema of an object, the rest of an error sentence
 */
export function readSchema(json: string): JsonSchema | string {
  if (json.trim() === '') return { type: 'object' };
  if (jsonDepth(json) > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH}`;
  const value = parsed(json);
  if (!isObject(value)) return 'is no JSON object';
  const { type = 'object' } = value;
  return type === 'object' ? { ...value, type } : 'is not of type object';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
