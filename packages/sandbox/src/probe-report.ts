/** One mechanism that isolates a box. Each holds without the others. */
export type Wall = 'landlock' | 'seccomp' | 'namespaces';

/** The probes' results for one box. */
export interface BoxProbe {
  readonly ok: boolean;
  /** The walls that were probed. */
  readonly walls: readonly Wall[];
  /**
   * Why an agent or worker has no name spaces here: the kernel's or the system's refusal. Absent if
   * it has them.
   */
  readonly withoutNameSpaces?: string;
  /**
   * Names of the probes that failed. Empty together with `ok: false` means that the box could not
   * be made.
   */
  readonly failed: readonly string[];
  /** The reason, in one line for a person; absent if `ok`. */
  readonly reason?: string;
}

/** The probes' results for every box. `ok` only if all boxes are. */
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
