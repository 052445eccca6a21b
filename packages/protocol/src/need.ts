/** The smallest permission that would have let a command go on. */
export interface Need {
  readonly kind: NeedKind;
  /** In the one spelling that is shown, granted and compared; for `hosts`, `host:port`. */
  readonly target: string;
}

/** `hosts`: the way out to one port of one host. */
export type NeedKind = 'hosts';

/** A command's traffic through its own way out. */
export interface NetworkUse {
  /** `host:port` of each server that it reached. */
  readonly reached: readonly string[];
  /** `host:port` of each server that it asked for and may not reach. */
  readonly needed: readonly string[];
  /** Refusals that no permission for a host would change, in words. */
  readonly refused: readonly string[];
}
