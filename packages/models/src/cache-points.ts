import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * Sets three cache points, of the four that Anthropic allows: after the system part, at the end of
 * the last request, and at the end. The last request wrote to the cache at the middle one; it is
 * needed because providers look back only some blocks from a point, and a batch of calls may be
 * longer.
 *
 * @param prompt without the turn part
 * @param set undefined changes nothing
 */
export function withCachePoints(
  prompt: LanguageModelV4Prompt,
  set: ((message: LanguageModelV4Message) => LanguageModelV4Message) | undefined,
): LanguageModelV4Prompt {
  if (set === undefined) return prompt;
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  const points = new Set([
    prompt.findIndex(({ role }) => role === 'system'),
    prompt.slice(0, Math.max(0, answer)).findLastIndex(({ role }) => role === 'user' || role === 'tool'),
    prompt.length - 1,
  ]);
  return prompt.map((message, at) => (points.has(at) ? set(message) : message));
}
