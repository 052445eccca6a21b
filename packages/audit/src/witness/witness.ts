/**
 * Keeps copies of checkpoints where the engine can't change them: a file of another user, a machine
 * elsewhere, a chat. A program with all rights of the engine can rewrite and sign history, but not
 * make a witness forget.
 */
export interface Witness {
  /** For records and messages: a path, an address. */
  readonly name: string;
  /**
   * Stores a signed checkpoint besides all earlier ones.
   * @throws any error that prevents it
   */
  deliver(note: string, signal: AbortSignal): Promise<void>;
  /** The last checkpoint it received; undefined if it has none. @throws if it can't be asked */
  latest(signal: AbortSignal): Promise<string | undefined>;
}
