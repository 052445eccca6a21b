import type { SessionStore } from '@bulkhead/sessions';
import type { Trace, VirtualTime } from '@bulkhead/testkit/simulation';
import { SessionTracker } from './session-tracker.ts';

/** Follows the log of every session as it is written, and checks each record as it comes. */
export class SessionTrackers {
  readonly #store: () => SessionStore;
  readonly #time: VirtualTime;
  readonly #trace: Trace;
  readonly #report: (violation: string) => void;
  #trackers = new Map<string, SessionTracker>();

  constructor(parts: {
    readonly store: () => SessionStore;
    readonly time: VirtualTime;
    readonly trace: Trace;
    readonly report: (violation: string) => void;
  }) {
    this.#store = parts.store;
    this.#time = parts.time;
    this.#trace = parts.trace;
    this.#report = parts.report;
  }

  all(): readonly SessionTracker[] {
    return [...this.#trackers.values()];
  }

  of(sessionId: string): SessionTracker {
    const known = this.#trackers.get(sessionId);
    if (known !== undefined) return known;
    const fresh = new SessionTracker(sessionId, this.#report);
    this.#trackers.set(sessionId, fresh);
    return fresh;
  }

  /**
   * Reads newer records. @param known false if the leaf is from a later time @returns the session's
   * last position
   */
  follow(sessionId: string, known = true): number {
    const tracker = this.of(sessionId);
    const store = this.#store();
    const leaf = store.getSession(sessionId)?.leaf ?? null;
    if (!known) tracker.committed(undefined);
    const now = known ? this.#time.monotonic() : Number.NEGATIVE_INFINITY;
    for (const record of store.records(sessionId, { pos: tracker.lastPos })) {
      this.#trace.note(`  ${sessionId.slice(-4)} #${record.pos} ${record.type} ${gist(record.body)}`);
      tracker.take(record, known ? leaf : undefined, now);
    }
    tracker.committed(leaf);
    return tracker.lastPos;
  }

  /** Starts again from the logs: a power cut has removed their end. */
  reread(): void {
    this.#trackers = new Map(
      [...this.#trackers.keys()].map((id) => [id, new SessionTracker(id, this.#report)]),
    );
    for (const sessionId of this.#trackers.keys()) {
      if (this.#store().getSession(sessionId) !== undefined) this.follow(sessionId, false);
    }
  }
}

const SHOWN = [
  'message',
  'action',
  'call',
  'outcome',
  'role',
  'from',
  'to',
  'fate',
  'success',
  'round',
  'decision',
];

/** The part of a record that matters in a trace. */
function gist(body: object): string {
  const fields = new Map<string, unknown>(Object.entries(body));
  return SHOWN.flatMap((name) => {
    const value = fields.get(name);
    return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
      ? [`${name}=${String(value).slice(-12)}`]
      : [];
  }).join(' ');
}
