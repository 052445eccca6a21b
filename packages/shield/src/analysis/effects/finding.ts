/** One reason of the deterministic analysis against running an action without asking. */
export interface Finding {
  readonly decision: 'block' | 'escalate';
  /**
   * Kebab-case name of the rule, for people and `policy test`: `foreign-code`, `credentials-read`,
   * …
   */
  readonly rule: string;
  /** The rest of a sentence that begins with the action: its effect and the object. */
  readonly reason: string;
  /** Of an escalation: needs a person's own approval, never a model's or an earlier grant. */
  readonly ownYes?: true;
}
