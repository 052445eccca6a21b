/** What a judge of actions may say. `escalate` asks a person; it is neither allowed nor blocked. */
export type Decision = 'allow' | 'block' | 'escalate';

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
}
