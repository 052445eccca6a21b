/** Where a command would run. */
export interface CommandPlace {
  /** Absolute. */
  readonly workingFolder: string;
  /** Absolute. */
  readonly home: string;
  /** Hosts that the call was granted, in lower case. */
  readonly hosts: readonly string[];
}
