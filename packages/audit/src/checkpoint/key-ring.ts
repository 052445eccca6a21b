import type { KeyChange, SignedCheckpoint } from './checkpoint.ts';
import { parseVerifierKey, type VerifierKey } from './verifier-key.ts';

interface KeyPeriod {
  readonly key: VerifierKey;
  /** Size of the checkpoint that names the next key, the last one signed by this key. */
  readonly until: number;
}

/**
 * The keys of a log, one after another. Each change is signed by the old and the new key, so
 * knowing one key suffices to verify all: older ones by the change to it, newer ones by the change
 * from it.
 */
export class KeyRing {
  readonly #periods: readonly KeyPeriod[];
  readonly #changes: ReadonlySet<string>;

  private constructor(periods: readonly KeyPeriod[], changes: ReadonlySet<string>) {
    this.#periods = periods;
    this.#changes = changes;
  }

  /**
   * @param trusted the known key
   * @param changes checkpoints that change the key, in log order; an invalid signature ends the
   * ring
   */
  static of(trusted: VerifierKey, changes: readonly SignedCheckpoint[]): KeyRing {
    const periods: KeyPeriod[] = [];
    const signed = new Set<string>();
    let current: VerifierKey | undefined;
    for (const checkpoint of changes) {
      const { size, note, change } = checkpoint;
      const pair = change && keysOf(change);
      if (pair === undefined || (current !== undefined && pair.from.text !== current.text)) break;
      if (!pair.from.verifies(checkpoint) || !pair.to.verifies(checkpoint)) break;
      periods.push({ key: pair.from, until: size });
      signed.add(note);
      current = pair.to;
    }
    if (current !== undefined) periods.push({ key: current, until: Number.POSITIVE_INFINITY });
    const isKnown = periods.some(({ key }) => key.text === trusted.text);
    return isKnown
      ? new KeyRing(periods, signed)
      : new KeyRing([{ key: trusted, until: Number.POSITIVE_INFINITY }], new Set());
  }

  /** Name of the log. */
  get origin(): string | undefined {
    return this.#periods[0]?.key.origin;
  }

  /** The key in force. */
  get current(): string {
    return this.#periods.at(-1)?.key.text ?? '';
  }

  verifies(checkpoint: SignedCheckpoint): boolean {
    return this.problem(checkpoint) === undefined;
  }

  /** @returns the problem of a checkpoint's signatures; undefined if they are valid */
  problem(checkpoint: SignedCheckpoint): string | undefined {
    const { size, note, change } = checkpoint;
    const period = this.#periods.find(({ until }) => size <= until);
    if (period === undefined || !period.key.verifies(checkpoint)) {
      const other = this.#periods.find(({ key }) => key.verifies(checkpoint));
      if (other === undefined) return "its signature is not one of this log's key";
      return size > other.until
        ? `it was signed by a key that was replaced after entry ${other.until}`
        : 'it was signed by a key that was not in force yet';
    }
    if (change === undefined || this.#changes.has(note)) return undefined;
    return 'it changes the key, and is not signed by both, or not the change that the log goes on from';
  }
}

function keysOf({ from, to }: KeyChange): { from: VerifierKey; to: VerifierKey } | undefined {
  const keys = { from: parseVerifierKey(from), to: parseVerifierKey(to) };
  if (keys.from === undefined || keys.to === undefined || keys.from.origin !== keys.to.origin)
    return undefined;
  return { from: keys.from, to: keys.to };
}
