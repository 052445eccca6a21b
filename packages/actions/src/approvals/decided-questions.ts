import type { AnswerTarget, ApprovalOutcome } from './approver.ts';

/** Number of remembered outcomes; the oldest is dropped first. */
const MAX_DECIDED = 512;

/** Outcomes of the latest questions, for late answers. */
export class DecidedQuestions {
  readonly #decided = new Map<string, { readonly target: AnswerTarget; readonly outcome: ApprovalOutcome }>();

  keep(target: AnswerTarget, outcome: ApprovalOutcome): void {
    this.#decided.set(target.approval, { target, outcome });
    const [oldest] = this.#decided.keys();
    if (this.#decided.size > MAX_DECIDED && oldest !== undefined) this.#decided.delete(oldest);
  }

  /** @returns undefined if it is not known under that id, session and hash */
  find({ approval, session, hash }: AnswerTarget): ApprovalOutcome | undefined {
    const known = this.#decided.get(approval);
    return known?.target.session === session && known.target.hash === hash ? known.outcome : undefined;
  }
}
