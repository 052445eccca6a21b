const JUDGES = ['policy', 'analysis', 'evaluator', 'person'] as const;

/** Who judged an action, in a word. @param tier of the verdict */
export function judgeName(tier: number): string {
  return JUDGES[tier] ?? `tier ${tier}`;
}
