import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/**
 * Sets cache points: behind the system part, where the last request ended, and at the end. The middle one is where the last
 * request wrote to the cache: providers look only some blocks back from a point, and a batch of calls may be longer than that.
 * Three of the four that Anthropic allows.
 *
 * @param prompt without the turn part
 * @param set undefined leaves it as it is
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
