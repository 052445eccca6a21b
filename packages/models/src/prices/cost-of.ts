import type { EventUsage } from '@bulkhead/protocol';
import type { TieredPrice } from './model-prices.ts';

const MILLION = 1_000_000;

/**
 * What tokens cost, in US dollars. Input counts the tokens read from the cache and those written to it too, and each are paid at
 * their own price; output counts the thinking.
 * @param price a model's price; one that depends on the length of the input is applied as it says
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
