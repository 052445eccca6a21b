/** `warn`: it works, but not as well as it could. */
export type CheckState = 'ok' | 'warn' | 'bad';

/** One row of doctor's report. */
export interface Check {
  /** Name of the checked thing. */
  readonly name: string;
  readonly state: CheckState;
  /** The result. */
  readonly detail: string;
  /** The remedy; empty if none is needed. */
  readonly fix: string;
}

/** The result of one successful check. A failure is thrown. */
export interface Finding {
  readonly detail: string;
  /** A possible improvement, for the user. */
  readonly better?: string;
}
