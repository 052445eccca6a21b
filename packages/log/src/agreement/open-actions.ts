import type { EffectClass, FileChange } from '@bulkhead/protocol';
import type { StoredRecord } from '@bulkhead/sessions';
import * as z from 'zod';

/** What the audit log says of an open action with an effect. */
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
  /** The log lost its intent, and a person let the session go on: nobody knows whether it was begun. */
  readonly lost?: true;
  /** The question nobody has answered yet. */
  readonly approval?: string;
}

/** Records of version 1 are of a time before intents: nothing in them tells an action that was begun from one that was not. */
const INTENTS_SINCE = 2;

const intentBody = z.object({
  // What a later version may call its classes is not known to be harmless.
  effect: z.enum(['pure', 'idempotent', 'once']).catch('once'),
  changes: z
    .array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
    .catch([]),
  // A version that wrote none knew an action again by its hash.
  likeness: z.string().catch(''),
  transaction: z.boolean().catch(false),
});

const lossBody = z.object({
  actions: z.array(z.object({ action: z.string(), likeness: z.string() })).catch([]),
});

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

  /** Likenesses of actions of which nobody found out whether they took effect, and that no person has allowed again. */
  get doubtful(): ReadonlySet<string> {
    return this.#doubtful;
  }

  read({ type, body, version, pos }: StoredRecord): void {
    if (type === 'loss_accepted') {
      this.#lost(body);
      return;
    }
    const id = String(body['action']);
    if (type === 'action_started') {
      const { call, hash, tool } = textsOf(body);
      this.#open.set(id, { action: id, call, hash, tool, intentsKept: version >= INTENTS_SINCE });
      return;
    }
    const open = this.#open.get(id);
    if (open === undefined) return;
    switch (type) {
      case 'shield_verdict':
        if (body['decision'] === 'block') this.#refused.add(open.call);
        break;
      case 'approval_requested':
        this.#open.set(id, { ...open, approval: String(body['approval']) });
        break;
      case 'approval_decided':
        this.#decided(id, open, body);
        break;
      case 'action_intent':
        this.#intended(id, open, body, pos);
        break;
      case 'action_completed':
        this.#open.delete(id);
        if (body['fate'] === 'unknown') this.#doubtful.add(likenessOf(open));
        break;
      default:
        break;
    }
  }

  /** What the audit log names as begun may have taken effect, whether the log still has its proposal or not. */
  #lost(body: StoredRecord['body']): void {
    for (const { action, likeness } of lossBody.parse(body).actions) {
      const open = this.#open.get(action);
      if (open !== undefined) this.#open.set(action, { ...open, lost: true });
      this.#doubtful.add(likeness);
    }
  }

  #intended(id: string, open: OpenAction, body: StoredRecord['body'], pos: number): void {
    const known = { ...open, intent: { ...intentBody.parse(body), pos } };
    this.#open.set(id, known);
    // It was in doubt and begins all the same: a person has said yes.
    this.#doubtful.delete(likenessOf(known));
  }

  #decided(id: string, { approval: _answered, ...open }: OpenAction, body: StoredRecord['body']): void {
    this.#open.set(id, open);
    const withdrawn = body['by'] === 'cancel' || body['by'] === 'restart';
    if (body['decision'] === 'deny' && !withdrawn) this.#refused.add(open.call);
  }
}

function textsOf(body: StoredRecord['body']) {
  return { call: String(body['call']), hash: String(body['hash']), tool: String(body['tool']) };
}

/** What an action that was announced is known by when it is proposed again. */
export function likenessOf({ hash, intent }: OpenAction): string {
  return intent === undefined || intent.likeness === '' ? hash : intent.likeness;
}
