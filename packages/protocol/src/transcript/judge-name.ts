const JUDGES = ['policy', 'analysis', 'evaluator', 'person'] as const;

/** Name of an action's judge, in a word. @param tier of the verdict */
export function judgeName(tier: number): string {
  return JUDGES[tier] ?? `tier ${tier}`;
}
