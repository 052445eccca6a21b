import type { JSONObject } from '@ai-sdk/provider';
import { isJsonObject, parseJsonObject } from './json-object.ts';

export interface PartData {
  /** Data that this same model left on the part. */
  readonly own: JSONObject | undefined;
  /** True if another provider or model wrote the part. */
  readonly isForeign: boolean;
}

/**
 * Reads `AssistantPart.providerJson`: `{[metadataKey]: data, model}`. A part without data was
 * written where nothing is kept, and every model may have it.
 */
export function readPartData(
  providerJson: string,
  asked: { readonly metadataKey: string; readonly model: string },
): PartData {
  if (providerJson === '') return { own: undefined, isForeign: false };
  const data = parseJsonObject(providerJson) ?? {};
  const own = Object.hasOwn(data, asked.metadataKey) ? data[asked.metadataKey] : undefined;
  const writer = data['model'];
  if (!isJsonObject(own) || (typeof writer === 'string' && writer !== asked.model)) {
    return { own: undefined, isForeign: true };
  }
  return { own: Object.keys(own).length === 0 ? undefined : own, isForeign: false };
}
