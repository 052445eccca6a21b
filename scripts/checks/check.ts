/** What a check is given. */
export interface CheckContext {
  /** The checkout. */
  readonly root: string;
  /** Folder for what one check leaves for another; exists. */
  readonly results: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the person wants no more. */
  readonly signal: AbortSignal;
  /** Rewrite what is committed instead of comparing with it (`--update-surface`). */
  readonly updateSurface: boolean;
  /** Processor seconds of the checks that are done, by name; without those that run within this process. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
}

/** How a check went. Counts are of test cases where it runs some, else the check itself is one. */
export interface CheckResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What to show when something failed. */
  readonly output: string;
  /** A few words beside the name, such as a count. */
  readonly note?: string;
  /** Processor time of the programs it ran. */
  readonly cpuSeconds?: number;
}

/** One thing that must hold before a change is done. */
export interface Check {
  readonly name: string;
  /** How to mend it when it fails. */
  readonly mend: string;
  run(context: CheckContext): Promise<CheckResult>;
}
