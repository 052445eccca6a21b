import type { CompactionSettings } from './compactor.ts';

/** Of one model's budget; shares from 0 to 1. */
export interface CompactionThresholds {
  /** From here on a conversation is made shorter [K1]. */
  readonly at: number;
  /** The unchanged part. */
  readonly keep: number;
}

/** @param model `provider/model`: the first entry that names it says what differs for it */
export function thresholdsOf(
  { at, keep, models = [] }: CompactionSettings,
  model: string,
): CompactionThresholds {
  const own = models.find((one) => one.model === model);
  return { at: own?.at ?? at, keep: own?.keep ?? keep };
}
