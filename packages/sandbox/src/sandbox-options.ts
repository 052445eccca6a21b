/** The parts of a sandbox. */
export interface SandboxOptions {
  /** From `locateLauncher`. */
  readonly launcherPath: string;
  /** Node binary that runs agents and workers. */
  readonly nodePath: string;
  /**
   * From `nodeRuntimeFiles(nodePath)`: readable for agents and workers whose program is `nodePath`.
   */
  readonly runtimeFiles: readonly string[];
  /**
   * Whether agents and workers get their own name spaces: the result of `probe`. A launch never
   * falls back.
   */
  readonly nameSpaces: { readonly agent: boolean; readonly worker: boolean };
  /** Existing folder in which probes may make a temporary one. */
  readonly scratch: string;
}
