import type { AuditSink } from '@bulkhead/audit';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import { BulkheadError, type Clock } from '@bulkhead/protocol';
import type { LogAgreement } from '@bulkhead/sessions';
import { describeLoss, readLoss } from './loss.ts';

/** Lets a person decide about sessions whose logs lost records. */
export class LossDesk {
  readonly #audit: AuditSink;
  readonly #store: Pick<LogAgreement, 'losses' | 'acceptLoss'>;
  readonly #clock: Clock;
  readonly #takeUp: (sessionId: string) => void;

  /** @param parts.takeUp goes on with the open messages of a session */
  constructor(parts: {
    readonly audit: AuditSink;
    readonly store: Pick<LogAgreement, 'losses' | 'acceptLoss'>;
    readonly clock: Clock;
    takeUp(sessionId: string): void;
  }) {
    this.#audit = parts.audit;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#takeUp = (sessionId) => parts.takeUp(sessionId);
  }

  /** One line for each session that waits for a decision. */
  get notices(): readonly string[] {
    return [...this.#store.losses()].map(
      ([id, text]) =>
        `${describeLoss(id, readLoss(text))}. It is read-only: restore a backup, or run \`bulkhead sessions accept-loss ${id}\``,
    );
  }

  /**
   * The session goes on without what its log lost. Actions that are named count as unknown: the same one again asks a person. The audit log
   * hears of it first: after a crash in between the session is read-only still.
   * @returns what was lost
   * @throws BulkheadError `not_found` for a session that lost nothing
   */
  async accept(sessionId: string): Promise<string> {
    const text = this.#store.losses().get(sessionId);
    if (text === undefined) {
      throw new BulkheadError('not_found', `session ${sessionId} lost nothing that the audit log names`, {
        fix: 'See `bulkhead doctor`. Write the whole id.',
      });
    }
    const loss = readLoss(text);
    const { logged = 0, has = null, messages = [], actions = [], more = 0 } = loss ?? {};
    const details = { logged, has, messages, actions: actions.map(({ action }) => action), more };
    const [entry] = await this.#audit.append([
      { step: 'LOSS_ACCEPTED', action: '', hash: '', session: sessionId, tool: '', details },
    ]);
    // By it a comparison tells this acceptance from one in another copy of the database.
    const body = { logged, has, messages, actions, more, audit: entry?.self ?? '' };
    this.#store.acceptLoss(sessionId, [noteRecord(this.#clock.now(), '', 'loss_accepted', body)]);
    this.#takeUp(sessionId);
    return describeLoss(sessionId, loss);
  }
}
