import { approvalFate, type Clock, describeError, inertText, type Timers } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { ApprovalQuestion, TranscriptView } from '@bulkhead/protocol/transcript';
import type { UiLink } from '../link/ui-link.ts';
import { ApprovalPanel } from '../panels/approval-panel.ts';
import type { Screen } from './screen.ts';

interface ApprovalsOptions {
  readonly link: UiLink;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly screen: Screen;
  readonly say: (text: string) => void;
  /** Sends a message that joins the run. */
  readonly steer: (text: string) => Promise<void>;
}

/**
 * Shows the questions of a session to the person, one at a time, oldest first, and sends each
 * answer bound to the shown action.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  /** Answered here; the engine's decision event has not arrived yet. */
  readonly #answered = new Set<string>();
  #panel: ApprovalPanel | undefined;
  /** Shows the open questions. */
  #again = (): void => {};

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /**
   * Updates the open questions; one decided elsewhere disappears. @param signal of the current
   * session
   */
  take(view: TranscriptView, sessionId: string, signal: AbortSignal): void {
    const { approvals } = view;
    this.#again = () => this.take(view, sessionId, signal);
    const open = approvals.filter(({ approval }) => !this.#answered.has(approval));
    const [first] = open;
    if (first?.approval === this.#panel?.question.approval) return;
    this.#options.screen.bottom.hide('approval');
    this.#panel = undefined;
    if (first !== undefined) this.#ask(first, sessionId, open.length - 1, signal);
  }

  #ask(question: ApprovalQuestion, sessionId: string, others: number, signal: AbortSignal): void {
    const { screen, clock, timers } = this.#options;
    // A key that waits to stand alone may come due after the question was withdrawn.
    const answered = (answer: ApprovalAnswer, instead: string) => {
      if (this.#panel === panel) void this.#answer(question, sessionId, answer, signal, instead);
    };
    const panel: ApprovalPanel = new ApprovalPanel({
      question,
      others: () => others,
      look: screen.look,
      clock,
      timers,
      onChange: () => screen.draw(),
      rows: () => screen.rows,
      onAnswer: (answer) => answered(answer, ''),
      onInstead: (words) => answered(ApprovalAnswer.DENY, words),
      early: (data) => screen.prompt.handleInput(data),
      hasDraft: () => screen.prompt.draft !== '',
    });
    this.#panel = panel;
    screen.bottom.show('approval', panel);
    void this.#readAll(panel, signal);
  }

  /** The event may contain a cut action; the engine has all of it. */
  async #readAll(panel: ApprovalPanel, signal: AbortSignal): Promise<void> {
    const { link, screen } = this.#options;
    try {
      const { approval, hash } = panel.question;
      const [full] = await link.repeat(
        async (client) => (await client.call('listApprovals', { approvalId: approval }, signal)).approvals,
        signal,
      );
      if (full?.actionHash === hash) panel.showAll(inertText(full.shown), full.remainingMs);
      screen.draw();
    } catch {
      // The event's version stays visible and can be denied.
    }
  }

  async #answer(
    { approval, hash }: ApprovalQuestion,
    sessionId: string,
    answer: ApprovalAnswer,
    signal: AbortSignal,
    instead: string,
  ): Promise<void> {
    const { link, screen, say } = this.#options;
    if (this.#answered.has(approval)) return;
    this.#answered.add(approval);
    screen.bottom.hide('approval');
    this.#panel = undefined;
    screen.draw();
    const request = { sessionId, approvalId: approval, actionHash: hash, answer };
    try {
      // Before the denial: the run must have the words when it goes on.
      if (instead !== '') await this.#options.steer(instead);
      const fate = approvalFate(
        await link.repeat((client) => client.call('decideApproval', request, signal), signal),
      );
      if (fate !== undefined && !signal.aborted) say(fate);
    } catch (cause) {
      if (signal.aborted) return;
      this.#answered.delete(approval);
      say(`the answer could not be sent, so the approval is still pending: ${describeError(cause)}`);
      // An open question may come without an event, so ask for it again.
      this.#again();
      screen.draw();
    }
  }
}
