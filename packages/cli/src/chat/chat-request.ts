/** How a chat was asked for, checked as far as that goes without an engine. */
export interface ChatRequest {
  /** Absolute path, for new sessions. */
  readonly workingFolder: string;
  /** `PROVIDER/MODEL` in the place of the configured one; empty for that. */
  readonly modelOverride: string;
  /** True for sessions of which nothing is written to the disk. */
  readonly offTheRecord: boolean;
  /** What would change something is described and not done. */
  readonly dryRun: boolean;
  /** Nothing is boxed by the engine this call may start. */
  readonly insecureNoSandbox: boolean;
  /** Undefined for a new session. */
  readonly session: string | undefined;
}
