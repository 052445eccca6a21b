/** What the probes of one box found. */
export interface BoxProbe {
  readonly ok: boolean;
  /** Names of the probes that failed. Empty together with `ok: false` means that the box could not be made. */
  readonly failed: readonly string[];
  /** Why, in one line for a person; absent if `ok`. */
  readonly reason?: string;
}

/** What the probes of every box found. `ok` only if all of them are. */
export interface ProbeReport {
  readonly ok: boolean;
  readonly boxes: {
    readonly agent: BoxProbe;
    readonly worker: BoxProbe;
    readonly shell: BoxProbe;
  };
}
