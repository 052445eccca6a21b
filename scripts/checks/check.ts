/** The context of a check. */
export interface CheckContext {
  /** The checkout. */
  readonly root: string;
  /** Folder for files that one check leaves for another; exists. */
  readonly results: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  /** Rewrite the committed files instead of comparing with them (`--update-surface`). */
  readonly updateSurface: boolean;
  /** When the whole must have ended, as `performance.now()`: long runs stop in time to be reported. */
  readonly endBy: number;
  /** Processor seconds of the finished checks, by name; without those inside this process. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
}

/** The result of a check. Counts test cases if it runs some; otherwise the check itself is one. */
export interface CheckResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The output to show after a failure. */
  readonly output: string;
  /** A few words beside the name, such as a count. */
  readonly note?: string;
  /** Processor time of the programs it ran. */
  readonly cpuSeconds?: number;
}

/** A condition for finishing a change. */
export interface Check {
  readonly name: string;
  /** The remedy for a failure. */
  readonly mend: string;
  run(context: CheckContext): Promise<CheckResult>;
}
