import type { KeySource } from './key-fix.ts';

/** Known facts about a failed request. */
export interface ProviderErrorContext {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Variable that holds the key, for the advice. */
  readonly keyName: string;
  readonly keySource: KeySource;
  /** True if only a variable or secret named by the settings is read. */
  readonly namesNoKey: boolean;
  /** Texts that must not appear in any error. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
