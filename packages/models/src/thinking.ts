import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** How much a model should think before it answers. Not set: the provider's default. */
export type ThinkingLevel = 'off' | 'low' | 'medium' | 'high';

/** The level in the words of the AI SDK's model specification. */
export function toReasoning(level: ThinkingLevel): NonNullable<LanguageModelV4CallOptions['reasoning']> {
  return level === 'off' ? 'none' : level;
}

const SHARES = { low: 0.2, medium: 0.4, high: 0.6 } as const;

/** A larger output limit is room for long files, not for more thinking. */
const MOST_SHARED = 32_000;

/**
 * For providers that need a number: the share of the output limit for thinking. The answer has the
 * rest, so the call's limit covers both.
 * @param maxOutputTokens the call's whole limit
 */
export function thinkingBudget(level: Exclude<ThinkingLevel, 'off'>, maxOutputTokens: number): number {
  return Math.floor(Math.min(maxOutputTokens, MOST_SHARED) * SHARES[level]);
}
