/** One reason of the deterministic analysis not to let an action pass unasked. */
export interface Finding {
  readonly decision: 'block' | 'escalate';
  /** Kebab-case name of the rule, for people and `policy test`: `foreign-code`, `credentials-read`, … */
  readonly rule: string;
  /** The rest of a sentence that begins with the action: what it would do, to what. */
  readonly reason: string;
  /** Of an escalation: only a person's own yes counts, no model's and none given beforehand. */
  readonly ownYes?: true;
}
