import type { SessionEvent, StateName } from '@bulkhead/protocol';

type StateChange = Extract<SessionEvent, { type: 'state_change' }>;

/** Which state may follow which, as the contract has it [L7]. */
const NEXT: Readonly<Record<StateName, readonly StateName[]>> = {
  idle: ['thinking'],
  thinking: ['executing', 'idle', 'compacting', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'aborting', 'error'],
  compacting: ['thinking', 'idle', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** Where a run stands when its state changes. */
export interface StatePlace {
  /** Nothing but `agent_start` has come. */
  readonly first: boolean;
  readonly roundOpen: boolean;
  /** The round has calls without a result, and no message is open. */
  readonly calling: boolean;
  readonly ended: boolean;
}

/** The states of one run, from `idle` to `idle`. */
export class StateGrammar {
  #current: StateName = 'idle';
  #aborted = false;
  #erred = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** True if it reported an error, or was being cancelled already when an error came. */
  get errorTold(): boolean {
    return this.#erred || this.#aborted;
  }

  get erred(): boolean {
    return this.#erred;
  }

  take({ from, to }: StateChange, place: StatePlace): string[] {
    const problems = from === this.#current ? [] : [`it was ${this.#current}, not ${from}`];
    if (!NEXT[from].includes(to)) problems.push(`${from} is not followed by ${to}`);
    if (!fits(from, to, place)) problems.push(`not where a run becomes ${to}`);
    this.#current = to;
    this.#aborted ||= to === 'aborting';
    this.#erred ||= to === 'error';
    return problems;
  }

  /** @param names the states in which something may happen; while a run is being cancelled, it may too */
  needs(...names: readonly StateName[]): string[] {
    if (names.includes(this.#current) || this.#current === 'aborting') return [];
    return [`while ${this.#current}`];
  }

  /** As `needs`, with no exception. */
  needsExactly(name: StateName): string[] {
    return this.#current === name ? [] : [`while ${this.#current}`];
  }
}

function fits(from: StateName, to: StateName, place: StatePlace): boolean {
  switch (to) {
    case 'thinking':
      return from === 'idle' ? place.first : !place.roundOpen && !place.ended;
    case 'executing':
      return place.roundOpen && place.calling;
    case 'compacting':
      return !place.roundOpen && !place.ended;
    case 'aborting':
      return !place.first && !place.ended;
    default:
      return place.ended;
  }
}
