import type { MetadataExtractor } from '@ai-sdk/openai-compatible';
import type { JSONObject } from '@ai-sdk/provider';
import { fieldsOf } from '../errors/error-fields.ts';
import { isJsonObject } from '../json-object.ts';

export const OPENROUTER = 'openrouter';

/** Fields of a detail that arrive in pieces. */
const PIECES = ['text', 'summary', 'data'] as const;

/**
 * Collects `reasoning_details` of a stream, pieces of one detail joined: OpenRouter needs them back
 * unchanged, otherwise its model can't continue its thinking.
 */
export const collectReasoningDetails: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    const details: JSONObject[] = [];
    return {
      processChunk: (chunk) => {
        for (const detail of detailsOf(chunk)) addDetail(details, detail);
      },
      buildMetadata: () =>
        details.length === 0 ? undefined : { [OPENROUTER]: { reasoning_details: details } },
    };
  },
};

function detailsOf(chunk: unknown): JSONObject[] {
  const { choices } = fieldsOf(chunk);
  const delta = fieldsOf(Array.isArray(choices) ? choices[0] : undefined)['delta'];
  const details = fieldsOf(delta)['reasoning_details'];
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}

function addDetail(details: JSONObject[], detail: JSONObject): void {
  const last = details.at(-1);
  if (last === undefined || last['type'] !== detail['type'] || last['index'] !== detail['index']) {
    details.push({ ...detail });
    return;
  }
  for (const [name, value] of Object.entries(detail)) {
    const before = last[name];
    const isPiece = PIECES.some((piece) => piece === name);
    const joins = isPiece && typeof before === 'string' && typeof value === 'string';
    if (joins) last[name] = before + value;
    else if (value !== null && value !== undefined) last[name] = value;
  }
}
