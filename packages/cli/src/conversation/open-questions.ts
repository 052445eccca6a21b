import type { SessionEvent } from '@bulkhead/protocol';

export type ApprovalQuestion = Extract<SessionEvent, { type: 'approval_requested' }>;

/** Pending approvals of a session, tracked by its events. The end of a run ends its questions. */
export class OpenQuestions {
  readonly #open = new Map<string, ApprovalQuestion>();

  /** Oldest first. */
  get all(): readonly ApprovalQuestion[] {
    return [...this.#open.values()];
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'approval_requested':
        this.#open.set(event.approval, event);
        break;
      case 'approval_decided':
        this.#open.delete(event.approval);
        break;
      case 'agent_end':
        for (const { approval, turn } of this.all) if (turn === event.turn) this.#open.delete(approval);
        break;
      case 'idle':
        this.#open.clear();
        break;
      default:
    }
  }
}
