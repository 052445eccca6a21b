/** A request for a chat, checked as far as possible without an engine. */
export interface ChatRequest {
  /** Absolute path, for new sessions. */
  readonly workingFolder: string;
  /** `PROVIDER/MODEL` instead of the configured one; empty for the configured one. */
  readonly modelOverride: string;
  /** True for sessions that are not written to disk. */
  readonly offTheRecord: boolean;
  /** Actions with effects are described and not executed. */
  readonly dryRun: boolean;
  /** An engine that this call starts uses no sandbox. */
  readonly insecureNoSandbox: boolean;
  /** Undefined for a new session. */
  readonly session: string | undefined;
  /** Continue the last session of the working folder. */
  readonly last: boolean;
}
