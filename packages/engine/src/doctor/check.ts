/** `warn`: it works, and not as well as it could. */
export type CheckState = 'ok' | 'warn' | 'bad';

/** One row of what doctor says. */
export interface Check {
  /** What was looked at. */
  readonly name: string;
  readonly state: CheckState;
  /** What was found. */
  readonly detail: string;
  /** What to do; empty where there is nothing to do. */
  readonly fix: string;
}

/** What one look at something gave. What does not hold is thrown. */
export interface Finding {
  readonly detail: string;
  /** What a person could do to have it better. */
  readonly better?: string;
}
