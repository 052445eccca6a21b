/** Possible decisions of a judge. `escalate` asks a person; it neither allows nor blocks. */
export type Decision = (typeof DECISIONS)[number];

export const DECISIONS = ['allow', 'escalate', 'block'] as const;

/** A judge's answer about one action, bound to the action by its hash. */
export interface Verdict {
  readonly decision: Decision;
  /** 0 policy, 1 analysis, 2 evaluator model, 3 person. */
  readonly tier: 0 | 1 | 2 | 3;
  /** Name of the deciding rule, for users and `policy test`. */
  readonly rule: string;
  readonly reason: string;
  /** 0 to 1; rules that match exactly have 1. */
  readonly confidence: number;
  /** SHA-256, hex, of the policy used; absent without one. */
  readonly policy?: string;
  /**
   * For an escalation: needs a direct approval of exactly this action, not a model's and not an
   * earlier grant.
   */
  readonly ownYes?: true;
}

const RANK: Readonly<Record<Decision, number>> = { allow: 0, escalate: 1, block: 2 };

/**
 * The strictest of several judges' answers, the first of equals. Judges without an answer are
 * ignored; undefined if none has one.
 */
export function strictestOf<Answer extends { readonly decision: Decision }>(
  answers: readonly (Answer | undefined)[],
): Answer | undefined {
  let strictest: Answer | undefined;
  for (const answer of answers) {
    if (answer === undefined) continue;
    if (strictest === undefined || RANK[answer.decision] > RANK[strictest.decision]) strictest = answer;
  }
  return strictest;
}
