import { describeError, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { EngineLink } from '../engine-link.ts';
import type { Output } from '../output/output.ts';

/** Puts a question to the person; rejects when the signal fires. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string>;

/**
 * Asks the person about actions, one after the other, and sends the answers, each bound to the hash of
 * what was shown. Only a plain yes allows; a question that is settled elsewhere is withdrawn.
 */
export class ApprovalDesk {
  readonly #link: EngineLink;
  readonly #output: Output;
  readonly #ask: Ask;
  readonly #open = new Map<string, AbortController>();
  #queue: Promise<void> = Promise.resolve();

  constructor(link: EngineLink, output: Output, ask: Ask) {
    this.#link = link;
    this.#output = output;
    this.#ask = ask;
  }

  /** Takes `approval_requested` and `approval_decided`; other events are none of its business. */
  take(event: SessionEvent, signal: AbortSignal): void {
    if (event.type === 'approval_decided') this.#open.get(event.approval)?.abort();
    if (event.type !== 'approval_requested' || this.#open.has(event.approval)) return;
    const withdrawn = new AbortController();
    this.#open.set(event.approval, withdrawn);
    const either = AbortSignal.any([signal, withdrawn.signal]);
    this.#queue = this.#queue.then(() => this.#decide(event, either));
  }

  async #decide(
    event: Extract<SessionEvent, { type: 'approval_requested' }>,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    const { bold, yellow } = this.#output.palette;
    this.#output.line(`${yellow('?')} ${bold(this.#output.safe(event.tool))} needs your approval`);
    this.#output.line(`  why: ${this.#output.safe(event.reason)}`);
    for (const line of event.shown.split('\n')) this.#output.line(`  ${this.#output.safe(line)}`);
    try {
      const text = await this.#ask('  Allow once? [y/N] ', signal);
      const allowed = /^\s*y(es)?\s*$/i.test(text);
      const { accepted } = await this.#link.repeat(
        (client) =>
          client.decideApproval({
            sessionId: event.session,
            approvalId: event.approval,
            actionHash: event.hash,
            answer: allowed ? ApprovalAnswer.ALLOW_ONCE : ApprovalAnswer.DENY,
          }),
        signal,
      );
      if (!accepted && !signal.aborted) this.#output.line('  That was decided already, or it expired.');
    } catch (cause) {
      if (!signal.aborted)
        this.#output.line(`  The answer could not be sent: ${this.#output.safe(describeError(cause))}`);
      else this.#output.freshLine();
    }
  }
}
