import { type ApprovalScope, approvalFate, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ClientService, type OpenApproval } from '@bulkhead/protocol/client';
import type { Api } from '../api/api.ts';
import { Notifier } from './notifier.ts';

export type Answer = 'deny' | ApprovalScope;

const ANSWERS: Readonly<Record<Answer, ApprovalAnswer>> = {
  deny: ApprovalAnswer.DENY,
  once: ApprovalAnswer.ALLOW_ONCE,
  session: ApprovalAnswer.ALLOW_SESSION,
  always: ApprovalAnswer.ALLOW_ALWAYS,
};

/** Pending approvals of all sessions. */
export class OpenApprovals {
  readonly #api: Api;
  readonly notifier: Notifier;
  #list: readonly OpenApproval[] = $state.raw([]);

  constructor(api: Api, storage: Storage) {
    this.#api = api;
    this.notifier = new Notifier(storage);
  }

  get list(): readonly OpenApproval[] {
    return this.#list;
  }

  async refresh(): Promise<void> {
    this.#list = (await this.#api.call(ClientService.method.listApprovals, {})).approvals;
  }

  /** One question with its whole action. @returns undefined if it is no longer open */
  async whole(approvalId: string): Promise<OpenApproval | undefined> {
    return (await this.#api.call(ClientService.method.listApprovals, { approvalId })).approvals[0];
  }

  /**
   * @param question as the person saw it: the answer is bound to its hash
   * @returns the message for the person if the answer had no effect
   */
  async decide(
    { sessionId, approvalId, actionHash }: Pick<OpenApproval, 'sessionId' | 'approvalId' | 'actionHash'>,
    answer: Answer,
  ): Promise<string | undefined> {
    const decided = await this.#api.call(ClientService.method.decideApproval, {
      sessionId,
      approvalId,
      actionHash,
      answer: ANSWERS[answer],
    });
    this.#list = this.#list.filter((open) => open.approvalId !== approvalId);
    return approvalFate(decided);
  }

  heard(event: SessionEvent): void {
    if (event.type === 'approval_decided')
      this.#list = this.#list.filter(({ approvalId }) => approvalId !== event.approval);
    if (event.type !== 'approval_requested') return;
    this.refresh().catch(() => undefined);
    this.notifier.tell(event.tool, event.session);
  }
}
