import type { KeySource } from './key-fix.ts';

/** What is known about a request when it fails. */
export interface ProviderErrorContext {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Variable that holds the key, for the advice. */
  readonly keyName: string;
  readonly keySource: KeySource;
  /** True if no variable or secret is looked at unless the settings name one. */
  readonly namesNoKey: boolean;
  /** Texts that must not appear in any error. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
