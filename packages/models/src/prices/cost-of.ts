import type { EventUsage } from '@bulkhead/protocol';
import type { TieredPrice } from './model-prices.ts';

const MILLION = 1_000_000;

/**
 * The cost of tokens, in US dollars. Input includes tokens read from and written to the cache, each
 * with its own price; output includes the thinking.
 * @param price a model's price, which may depend on the length of the input
 */
export function costOf(
  usage: Pick<EventUsage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'cacheWriteTokens'>,
  price: TieredPrice,
): number {
  const { longPrompt } = price;
  const tier = longPrompt !== undefined && usage.inputTokens > longPrompt.above ? longPrompt : price;
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const fresh = usage.inputTokens - cached - written;
  const input = fresh * tier.input + cached * tier.cachedInput + written * (tier.cacheWrite ?? tier.input);
  return (input + usage.outputTokens * tier.output) / MILLION;
}
