/** One way in which a box keeps what is in it from what is outside. Each holds without the others. */
export type Wall = 'landlock' | 'seccomp' | 'namespaces';

/** What the probes of one box found. */
export interface BoxProbe {
  readonly ok: boolean;
  /** The walls that were probed. */
  readonly walls: readonly Wall[];
  /** Why an agent or worker has no name spaces here: the kernel's or the system's refusal. Absent if it has. */
  readonly withoutNameSpaces?: string;
  /** Names of the probes that failed. Empty together with `ok: false` means that the box could not be made. */
  readonly failed: readonly string[];
  /** Why, in one line for a person; absent if `ok`. */
  readonly reason?: string;
}

/** What the probes of every box found. `ok` only if all of them are. */
export interface ProbeReport {
  readonly ok: boolean;
  /** The kernel's version of Landlock, 0 if unknown. */
  readonly landlockAbi: number;
  readonly boxes: {
    readonly agent: BoxProbe;
    readonly worker: BoxProbe;
    readonly shell: BoxProbe;
  };
}
