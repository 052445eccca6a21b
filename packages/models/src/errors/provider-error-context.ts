/** What is known about a request when it fails. */
export interface ProviderErrorContext {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Variable that holds the key, for the advice. */
  readonly keyName: string;
  /** Texts that must not appear in any error. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
