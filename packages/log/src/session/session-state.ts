import { BulkheadError, type DurableEventBody, type StateName } from '@bulkhead/protocol';

/** Which state may follow which [L7]. */
const NEXT: Readonly<Record<StateName, readonly StateName[]>> = {
  idle: ['thinking'],
  thinking: ['executing', 'idle', 'compacting', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'aborting', 'error'],
  compacting: ['thinking', 'idle', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** The state of a session, for its watchers. A projection: nothing is decided by it. */
export class SessionState {
  #current: StateName;

  /** @param current what the log says it was, for a session that is taken up again */
  constructor(current: StateName = 'idle') {
    this.#current = current;
  }

  get current(): StateName {
    return this.#current;
  }

  /**
   * @returns the event that says so; none if it is so already
   * @throws BulkheadError `internal` for a change the table doesn't have
   */
  to(next: StateName): DurableEventBody[] {
    const from = this.#current;
    if (from === next) return [];
    if (!NEXT[from].includes(next)) {
      throw new BulkheadError('internal', `a session that is ${from} can't become ${next}`);
    }
    this.#current = next;
    return [{ type: 'state_change', from, to: next }];
  }

  /** As `to`, but a session that is being cancelled stays so until it is idle. */
  unlessAborting(next: StateName): DurableEventBody[] {
    return this.#current === 'aborting' ? [] : this.to(next);
  }
}
