import type { EventUsage } from '../events.ts';
import type { Spent, TranscriptView } from './view.ts';

export function plus(spent: Spent, usage: EventUsage, cost: number | null): Spent {
  return {
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    cachedInputTokens: spent.cachedInputTokens + usage.cachedInputTokens,
    cost: spent.cost + (cost ?? 0),
    unpriced: spent.unpriced || (cost === null && usage.inputTokens + usage.outputTokens > 0),
  };
}

/** Usage of the whole session so far. */
export function spentSoFar({ settledSpent: settled, runSpent: run }: TranscriptView): Spent {
  return {
    inputTokens: settled.inputTokens + run.inputTokens,
    outputTokens: settled.outputTokens + run.outputTokens,
    cachedInputTokens: settled.cachedInputTokens + run.cachedInputTokens,
    cost: settled.cost + run.cost,
    unpriced: settled.unpriced || run.unpriced,
  };
}
