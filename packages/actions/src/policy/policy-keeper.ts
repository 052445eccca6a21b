import { BulkheadError } from '@bulkhead/protocol';
import type { PolicyInForce } from './read-policy.ts';

/** What happened when the policy was read again. */
export type PolicyChange =
  | { readonly what: 'changed'; readonly policy: PolicyInForce; readonly before: string }
  | { readonly what: 'refused'; readonly error: BulkheadError };

/**
 * The policy in force. It is read anew when its files change; what can't be read or isn't valid changes nothing, and is told:
 * the old one stays in force until the new one is right [FT24]. An action is judged under one policy: it is asked for once.
 */
export class PolicyKeeper {
  readonly #read: () => PolicyInForce;
  readonly #tell: (change: PolicyChange) => void;
  #policy: PolicyInForce;
  #problem: BulkheadError | undefined;

  /**
   * @param policy in force from the start
   * @param read gives the policy as it is now, or throws
   * @param tell hears of each change, and once of each problem
   */
  constructor(policy: PolicyInForce, read: () => PolicyInForce, tell: (change: PolicyChange) => void) {
    this.#policy = policy;
    this.#read = read;
    this.#tell = tell;
  }

  get current(): PolicyInForce {
    return this.#policy;
  }

  /** Why the files don't count as they are now; undefined if they do. */
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
