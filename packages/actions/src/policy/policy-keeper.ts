import { BulkheadError } from '@bulkhead/protocol';
import type { PolicyInForce } from './read-policy.ts';

/** The result of reading the policy again. */
export type PolicyChange =
  | { readonly what: 'changed'; readonly policy: PolicyInForce; readonly before: string }
  | { readonly what: 'refused'; readonly error: BulkheadError };

/**
 * The policy in force. It is read again when its files change. An unreadable or invalid policy is
 * reported and changes nothing: the old one stays in force until the new one is valid [FT24]. Read
 * the policy once per action, so that one policy judges it.
 */
export class PolicyKeeper {
  readonly #read: () => PolicyInForce;
  readonly #tell: (change: PolicyChange) => void;
  #policy: PolicyInForce;
  #problem: BulkheadError | undefined;

  /**
   * @param policy in force from the start
   * @param read returns the present policy, or throws
   * @param tell receives each change, and each problem once
   */
  constructor(policy: PolicyInForce, read: () => PolicyInForce, tell: (change: PolicyChange) => void) {
    this.#policy = policy;
    this.#read = read;
    this.#tell = tell;
  }

  get current(): PolicyInForce {
    return this.#policy;
  }

  /** Why the present files are not in force; undefined if they are. */
  get problem(): BulkheadError | undefined {
    return this.#problem;
  }

  /** Never throws. */
  reload(): void {
    try {
      const policy = this.#read();
      const { digest: before } = this.#policy;
      this.#problem = undefined;
      if (policy.digest === before) return;
      this.#policy = policy;
      this.#tell({ what: 'changed', policy, before });
    } catch (cause) {
      const error = BulkheadError.from(cause);
      const isNew = this.#problem?.message !== error.message;
      this.#problem = error;
      if (isNew) this.#tell({ what: 'refused', error });
    }
  }
}
