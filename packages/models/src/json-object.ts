import type { JSONObject } from '@ai-sdk/provider';

/** The object a JSON text holds; undefined if it doesn't parse or is not an object. */
export function parseJsonObject(text: string): JSONObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only for values from `JSON.parse`: their leaves are JSON already. */
export function isJsonObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
