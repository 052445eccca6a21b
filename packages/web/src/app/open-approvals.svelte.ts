import { type ApprovalScope, approvalFate, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer, ClientService, type OpenApproval } from '@bulkhead/protocol/client';
import type { Api } from '../api/api.ts';

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

const KEY = 'bulkhead.notify';

/**
 * Browser notifications while its window is in the background, if a person enabled them. They name
 * the tool that asks, but not the action, because locked screens show them.
 */
class Notifier {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get isAvailable(): boolean {
    return 'Notification' in globalThis;
  }

  get isOn(): boolean {
    return this.isAvailable && Notification.permission === 'granted' && this.#storage.getItem(KEY) === 'on';
  }

  /** Asks the browser, which asks the person. @returns true if notifications will be shown */
  async turnOn(): Promise<boolean> {
    if (!this.isAvailable || (await Notification.requestPermission()) !== 'granted') return false;
    this.#storage.setItem(KEY, 'on');
    return true;
  }

  turnOff(): void {
    this.#storage.removeItem(KEY);
  }

  tell(tool: string, session: string): void {
    if (!this.isOn || document.visibilityState === 'visible') return;
    const notification = new Notification('Bulkhead needs your approval', {
      body: `for ${tool}`,
      tag: session,
    });
    notification.addEventListener('click', () => window.focus());
  }
}
