/** What a judge of actions may say. `escalate` asks a person; it is neither allowed nor blocked. */
export type Decision = (typeof DECISIONS)[number];

export const DECISIONS = ['allow', 'escalate', 'block'] as const;

/** A judge's answer about one action, bound to the action by its hash. */
export interface Verdict {
  readonly decision: Decision;
  /** 0 policy, 1 analysis, 2 evaluator model, 3 person. */
  readonly tier: 0 | 1 | 2 | 3;
  /** Name of the rule that decided, for people and `policy test`. */
  readonly rule: string;
  readonly reason: string;
  /** 0 to 1; rules that match exactly say 1. */
  readonly confidence: number;
  /** SHA-256, hex, of the policy that was asked; absent where none was. */
  readonly policy?: string;
  /** Of an escalation: only a person's own yes to this very action counts, no model's and none given beforehand. */
  readonly ownYes?: true;
}

const RANK: Readonly<Record<Decision, number>> = { allow: 0, escalate: 1, block: 2 };

/** The strictest of several judges' answers, the first of equals. Who has none counts for nothing; undefined if nobody has. */
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
