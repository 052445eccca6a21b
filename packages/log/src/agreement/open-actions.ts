import type { EffectClass, FileChange } from '@bulkhead/protocol';
import type { ActionIntent, RecordBody, RecordOf } from '@bulkhead/protocol/records';
import type { StoredRecord } from '@bulkhead/sessions';

/** The state of an open action with an effect in the audit log. */
export type AuditedFate = 'not_started' | 'started' | 'failed' | 'executed';

/** An action that has a beginning in the log, and no end. */
export interface OpenAction {
  readonly action: string;
  readonly call: string;
  readonly hash: string;
  readonly tool: string;
  /** True if the version that recorded it wrote an intent before each effect, on the disk: then one without was not begun. */
  readonly intentsKept: boolean;
  /** Undefined if none was recorded. */
  readonly intent?: {
    /** Of its record. */
    readonly pos: number;
    readonly effect: EffectClass;
    readonly changes: readonly FileChange[];
    readonly likeness: string;
    /** Its scratch folder tells what became of it. */
    readonly transaction: boolean;
  };
  /**
   * The log lost its intent, and a person let the session go on: it is unknown whether it was
   * started.
   */
  readonly lost?: true;
  /** The pending question. */
  readonly approval?: string;
}

/** Records of an action after its start. */
type StepType =
  | 'shield_verdict'
  | 'approval_requested'
  | 'approval_decided'
  | 'action_intent'
  | 'action_completed';

/** Follows the actions of one run through its records. */
export class OpenActions {
  readonly #open = new Map<string, OpenAction>();
  readonly #refused = new Set<string>();
  readonly #doubtful = new Set<string>();

  /** Those without an end, in the order they were proposed. */
  get open(): readonly OpenAction[] {
    return [...this.#open.values()];
  }

  /** Calls that policy, protection or a person refused. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  /** Fingerprints of actions whose outcome is unknown and that no person has allowed again. */
  get doubtful(): ReadonlySet<string> {
    return this.#doubtful;
  }

  read(record: StoredRecord): void {
    switch (record.type) {
      case 'loss_accepted':
        this.#lost(record.body);
        return;
      case 'action_started': {
        const { action, call, hash, tool, intents } = record.body;
        this.#open.set(action, { action, call, hash, tool, intentsKept: intents !== 'none' });
        return;
      }
      case 'shield_verdict':
      case 'approval_requested':
      case 'approval_decided':
      case 'action_intent':
      case 'action_completed':
        this.#goOn(record, this.#open.get(record.body.action));
        return;
      default:
    }
  }

  #goOn(record: StoredRecord & RecordOf<StepType>, open: OpenAction | undefined): void {
    if (open === undefined) return;
    const { action } = open;
    switch (record.type) {
      case 'shield_verdict':
        if (record.body.decision === 'block') this.#refused.add(open.call);
        return;
      case 'approval_requested':
        this.#open.set(action, { ...open, approval: record.body.approval });
        return;
      case 'approval_decided':
        this.#decided(open, record.body);
        return;
      case 'action_intent':
        this.#intended(open, record.body, record.pos);
        return;
      case 'action_completed':
        this.#open.delete(action);
        if (record.body.fate === 'unknown') this.#doubtful.add(likenessOf(open));
    }
  }

  /**
   * An action that the audit log names as started may have taken effect, even without its proposal
   * in the log.
   */
  #lost({ actions }: RecordBody<'loss_accepted'>): void {
    for (const { action, likeness } of actions) {
      const open = this.#open.get(action);
      if (open !== undefined) this.#open.set(action, { ...open, lost: true });
      this.#doubtful.add(likeness);
    }
  }

  #intended(open: OpenAction, intent: ActionIntent, pos: number): void {
    const { effect, changes, likeness = '', transaction = false } = intent;
    const known = { ...open, intent: { pos, effect, changes, likeness, transaction } };
    this.#open.set(open.action, known);
    // It was in doubt and begins all the same: a person has said yes.
    this.#doubtful.delete(likenessOf(known));
  }

  #decided({ approval: _answered, ...open }: OpenAction, said: RecordBody<'approval_decided'>): void {
    this.#open.set(open.action, open);
    const withdrawn = said.by === 'cancel' || said.by === 'restart';
    if (said.decision === 'deny' && !withdrawn) this.#refused.add(open.call);
  }
}

/** Recognizes an announced action when it is proposed again. */
export function likenessOf({ hash, intent }: OpenAction): string {
  return intent === undefined || intent.likeness === '' ? hash : intent.likeness;
}
