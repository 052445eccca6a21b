import type { AuditSink } from '@bulkhead/audit';
import { BulkheadError, type Clock } from '@bulkhead/protocol';
import type { LogAgreement } from '@bulkhead/sessions';
import { noteRecord } from '../session/record-codec.ts';
import { describeLoss, type Loss, readLoss } from './loss.ts';

/** Sessions that are named one by one. */
const MOST_NAMED = 3;
/** Characters of an id that name a session. */
const SHORTEST = 6;

/** Lets a person decide about sessions whose logs lost records. */
export class LossService {
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

  /** One line for each session that waits for a decision, and one for all of many. */
  get notices(): readonly string[] {
    const all = [...this.#store.losses()];
    const named = all.slice(0, MOST_NAMED).map(([id, text]) => {
      const loss = readLoss(text);
      return `${describeLoss(id, loss)}. ${adviceFor(id, loss)}`;
    });
    const left = all.length - named.length;
    return left === 0
      ? named
      : [...named, `${left} more sessions lost records: \`bulkhead doctor\` names them`];
  }

  /**
   * The session goes on without what its log lost. Actions that are named count as unknown: the same one again asks a person. The audit log
   * hears of it first: after a crash in between the session is read-only still.
   *
   * @param given the id of a session, or at least six characters of its beginning or end
   * @returns what was lost
   * @throws BulkheadError `not_found` for a session that lost nothing; `usage` if several are meant
   */
  async accept(given: string): Promise<string> {
    const [sessionId, text] = this.#lossOf(given);
    const loss = readLoss(text);
    const { logged = 0, has = null, messages = [], actions = [], more = 0 } = loss ?? {};
    const details = { logged, has, messages, actions: actions.map(({ action }) => action), more };
    const [entry] = await this.#audit.append([
      { step: 'LOSS_ACCEPTED', action: '', hash: '', session: sessionId, tool: '', details },
    ]);
    // By it a comparison tells this acceptance from one in another copy of the database.
    const body = { logged, has, messages, actions, more, audit: entry?.self ?? '' };
    this.#store.acceptLoss(sessionId, [noteRecord(this.#clock.now(), '', { type: 'loss_accepted', body })]);
    this.#takeUp(sessionId);
    return describeLoss(sessionId, loss);
  }

  #lossOf(given: string): readonly [string, string] {
    const losses = this.#store.losses();
    const whole = losses.get(given);
    if (whole !== undefined) return [given, whole];
    const isMeant = (id: string): boolean => id.startsWith(given) || id.endsWith(given);
    const found = given.length < SHORTEST ? [] : [...losses].filter(([id]) => isMeant(id));
    const [only] = found;
    if (found.length === 1 && only !== undefined) return only;
    if (found.length > 1) {
      throw new BulkheadError('usage', `${given} may be ${found.map(([id]) => id).join(' or ')}`, {
        fix: 'Write more of the id.',
      });
    }
    throw new BulkheadError('not_found', `no session ${given} waits for a decision about lost records`, {
      fix: 'The sessions that do are in `bulkhead status`, all of them in `bulkhead doctor`.',
    });
  }
}

/** Of a session that is missing as a whole nothing can be read, before or after. */
function adviceFor(id: string, loss: Loss | undefined): string {
  const command = `\`bulkhead sessions accept-loss ${id}\``;
  return loss?.has === null
    ? `Restore a backup, or say that you know: ${command}`
    : `It is read-only: restore a backup, or go on without them: ${command}`;
}
