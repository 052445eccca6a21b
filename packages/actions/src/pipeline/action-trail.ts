import type { AuditDetails, AuditInput, AuditSink, AuditStep } from '@bulkhead/audit';
import type { Action } from '@bulkhead/protocol';

/**
 * The audit entries of one action. Steps with no external effect between them share one commit
 * (FR7): they are noted first and committed together, always before the next effect.
 */
export class ActionTrail {
  readonly #sink: AuditSink;
  readonly #action: Action;
  readonly #bare: boolean;
  #pending: AuditInput[] = [];

  /** @param bare true omits every detail: records which steps ran, but not their content */
  constructor(sink: AuditSink, action: Action, bare = false) {
    this.#bare = bare;
    this.#sink = sink;
    this.#action = action;
  }

  note(step: AuditStep, details: AuditDetails = {}): void {
    const { id, hash, sessionId, tool } = this.#action;
    this.#pending.push({
      step,
      action: id,
      hash: this.#bare ? '' : hash,
      session: sessionId,
      tool,
      details: this.#bare ? {} : details,
    });
  }

  async commit(): Promise<void> {
    const notes = this.#pending;
    this.#pending = [];
    if (notes.length > 0) await this.#sink.append(notes);
  }
}
