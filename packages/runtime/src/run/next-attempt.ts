import { type BulkheadError, faultPoint } from '@bulkhead/protocol';
import type { ModelChain } from './model-chain.ts';
import { curableElsewhere, retryDecision } from './retry-policy.ts';
import type { RunConversation } from './run-conversation.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';
import { wait } from './wait.ts';

/** Prepares a run for another attempt after its model failed, or finds that there is none [E2–E5]. */
export class NextAttempt {
  readonly #services: RunServices;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #chain: ModelChain;
  readonly #conversation: RunConversation;
  /** Failures of the current model since its last answer. */
  #failures = 0;
  /** Attempts after the first since the last answer, whichever model they went to. */
  #retries = 0;
  #answersThen = 0;
  #renewed = false;

  constructor(parts: {
    readonly services: RunServices;
    readonly setting: RunSetting;
    readonly journal: RunJournal;
    readonly chain: ModelChain;
    readonly conversation: RunConversation;
  }) {
    this.#services = parts.services;
    this.#setting = parts.setting;
    this.#journal = parts.journal;
    this.#chain = parts.chain;
    this.#conversation = parts.conversation;
  }

  /**
   * Returns when the next attempt may begin.
   *
   * @throws BulkheadError `error` if there is to be none; `cancelled` if the wait was; a Suspension if the engine stops
   */
  async after(error: BulkheadError, signal: AbortSignal): Promise<void> {
    const { retry, random, timers } = this.#services;
    this.#journal.rewind();
    if (this.#journal.answers > this.#answersThen) {
      this.#failures = 0;
      this.#retries = 0;
    }
    this.#answersThen = this.#journal.answers;
    this.#failures += 1;
    this.#retries += 1;
    const decision = retryDecision(error, this.#failures, retry, random);
    if (decision.kind === 'compact') await this.#compact(error, signal);
    else if (decision.kind === 'give_up') this.#otherModel(error);
    const delayMs = decision.kind === 'again' ? decision.delayMs : 0;
    this.#journal.retry({
      type: 'retry_start',
      attempt: this.#retries,
      maxAttempts: retry.maxRetries,
      delayMs,
      code: error.code,
      message: error.message,
      model: this.#chain.current.name,
    });
    faultPoint('retry.waiting');
    await wait(timers, delayMs, AbortSignal.any([signal, this.#setting.stopping]));
  }

  /** A key that has changed since is worth one attempt; after that, the models that are left. */
  #otherModel(error: BulkheadError): void {
    if ((error.code === 'auth' || error.code === 'auth_permanent') && !this.#renewed) {
      this.#renewed = true;
      const renewed = this.#setting.renewModel(this.#chain.current);
      if (renewed !== undefined) {
        this.#chain.renew(renewed);
        return;
      }
    }
    const canTryOther = this.#services.retry.enabled && curableElsewhere(error);
    if (!canTryOther || this.#chain.fallBack() === undefined) throw error;
    this.#failures = 0;
  }

  /** The same request must not go out again: only a smaller one does [E3]. */
  async #compact(error: BulkheadError, signal: AbortSignal): Promise<void> {
    if (!(await this.#conversation.shorten('overflow', signal))) throw error;
  }
}
