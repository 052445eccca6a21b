/** What a sandbox is made of. */
export interface SandboxOptions {
  /** From `locateLauncher`. */
  readonly launcherPath: string;
  /** Node binary that agents and workers run on. */
  readonly nodePath: string;
  /** From `nodeRuntimeFiles(nodePath)`: readable for agents and workers whose program is `nodePath`. */
  readonly runtimeFiles: readonly string[];
  /** Whether agents and workers get name spaces of their own: what `probe` found. No launch tries and falls back. */
  readonly nameSpaces: { readonly agent: boolean; readonly worker: boolean };
  /** Existing folder in which probes may make a temporary one. */
  readonly scratch: string;
}
