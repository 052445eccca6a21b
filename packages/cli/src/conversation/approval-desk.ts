import { describeError, type SessionEvent } from '@bulkhead/protocol';
import type { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { EngineLink } from '../engine-link.ts';
import type { Output } from '../output/output.ts';
import { approvalAnswer, approvalChoices, approvalPrompt } from './approval-words.ts';
import type { ApprovalQuestion } from './open-questions.ts';

/** Lines after which the reason is said once more, beside the question. */
const LONG = 10;

/** Puts a question to the person; rejects when the signal fires. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/** Takes what a person entered instead of an answer. @returns what became of it, for the person; empty for nothing to say */
export type Keep = (text: string) => string;

/**
 * Asks the person about actions, one after the other, and sends the answers, each bound to the hash of
 * what was shown. Only a plain yes (or an offered s or a) allows, only a plain no or an empty line refuses; after anything else it asks
 * again. A question that is settled elsewhere is withdrawn.
 */
export class ApprovalDesk {
  readonly #link: EngineLink;
  readonly #output: Output;
  readonly #ask: Ask;
  readonly #keep: Keep;
  readonly #open = new Map<string, AbortController>();
  #queue: Promise<void> = Promise.resolve();

  constructor(link: EngineLink, output: Output, ask: Ask, keep: Keep = () => 'That is no answer.') {
    this.#link = link;
    this.#output = output;
    this.#ask = ask;
    this.#keep = keep;
  }

  /**
   * Takes `approval_requested` and `approval_decided`; other events are none of its business.
   * @param signal withdraws the question unanswered: it may be put again
   */
  take(event: SessionEvent, signal: AbortSignal): void {
    if (event.type === 'approval_decided') this.#open.get(event.approval)?.abort();
    if (event.type !== 'approval_requested' || this.#isOpen(event.approval) || signal.aborted) return;
    const withdrawn = new AbortController();
    const leave = () => withdrawn.abort();
    signal.addEventListener('abort', leave, { once: true });
    this.#open.set(event.approval, withdrawn);
    this.#queue = this.#queue.then(async () => {
      await this.#decide(event, withdrawn.signal);
      signal.removeEventListener('abort', leave);
    });
  }

  #isOpen(approval: string): boolean {
    return this.#open.get(approval)?.signal.aborted === false;
  }

  async #decide(event: ApprovalQuestion, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { bold, yellow } = this.#output.palette;
    this.#output.line(`${yellow('?')} ${bold(this.#output.safe(event.tool))} needs your approval`);
    this.#output.line(`  why: ${this.#output.safe(event.reason)}`);
    const lines = event.shown.split('\n');
    for (const line of lines) this.#output.line(`  ${this.#output.safe(line)}`);
    // A long list has pushed it off the screen.
    if (lines.length > LONG) this.#output.line(`  why: ${this.#output.safe(event.reason)}`);
    if (event.rule !== undefined) {
      this.#output.line(`  always would write: ${this.#output.safeLine(event.rule)}`);
    }
    try {
      const answer = await this.#answer(event, signal);
      const { accepted } = await this.#link.repeat(
        (client) =>
          client.decideApproval({
            sessionId: event.session,
            approvalId: event.approval,
            actionHash: event.hash,
            answer,
          }),
        signal,
      );
      if (!accepted && !signal.aborted) this.#output.line('  That was decided already, or it expired.');
    } catch (cause) {
      this.#open.delete(event.approval);
      if (!signal.aborted)
        this.#output.line(`  The answer could not be sent: ${this.#output.safe(describeError(cause))}`);
      else this.#output.freshLine();
    }
  }

  async #answer({ scopes }: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    while (true) {
      const text = await this.#ask(`  ${approvalPrompt(scopes)}`, signal);
      const answer = approvalAnswer(text, scopes);
      if (answer !== undefined) return answer;
      const kept = this.#keep(text);
      if (kept !== '') this.#output.line(`  ${kept} Please say ${approvalChoices(scopes)}.`);
    }
  }
}
