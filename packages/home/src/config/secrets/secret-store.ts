/** Looks a secret up by the name of its environment variable. */
export type SecretLookup = (name: string) => string | undefined;

/**
 * The store of keys, outside of `config.yaml`. Names are those of environment variables. No error
 * and no name list ever contains a value. All of it is synchronous: keys are looked up when a model
 * client is made, which is rare.
 */
export interface SecretStore {
  /** Its place, for users. */
  readonly place: string;
  /** The present value. Undefined if there is none of that name. */
  get(name: string): string | undefined;
  /** Sorted. */
  names(): readonly string[];
  set(name: string, value: string): void;
  /** @returns false if there was none */
  remove(name: string): boolean;
}
