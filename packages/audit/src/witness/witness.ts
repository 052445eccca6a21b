/**
 * Keeps copies of checkpoints where the engine can't change them: a file of another user, a machine elsewhere, a chat.
 * Whoever has all rights of the engine can write another history and sign it, but not make a witness forget.
 */
export interface Witness {
  /** For records and messages: a path, an address. */
  readonly name: string;
  /**
   * Keeps a signed checkpoint beside all it has.
   * @throws whatever keeps it from doing so
   */
  deliver(note: string, signal: AbortSignal): Promise<void>;
  /** The checkpoint it was given last; undefined if it has none. @throws if it can't be asked */
  latest(signal: AbortSignal): Promise<string | undefined>;
}
