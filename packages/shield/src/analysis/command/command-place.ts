/** Where a command would run. */
export interface CommandPlace {
  /** Absolute. */
  readonly workingFolder: string;
  /** Absolute. */
  readonly home: string;
  /** Hosts granted to the call, in lower case. */
  readonly hosts: readonly string[];
}
