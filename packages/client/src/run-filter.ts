import type { EventHeader } from '@bulkhead/protocol/transcript';

/**
 * Which of a session's events belong to one message: those of its run, and those outside any run,
 * from its `agent_start` (or its `settled`, if it was merged into another run) to its `settled` and
 * the `idle` after it. If another message is waiting, no `idle` comes; then the next run's start is
 * past the end.
 */
export class RunFilter {
  readonly #messageId: string;
  #run: string | undefined;
  #settled = false;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  /** Takes the events in order. `last` belongs to the message too. */
  judge({ type, turn, message }: EventHeader): 'skip' | 'belongs' | 'last' | 'past' {
    const ours = message === this.#messageId;
    if (type === 'agent_start') {
      if (this.#settled) return 'past';
      if (ours) this.#run = turn;
    }
    if (type === 'settled' && ours) this.#settled = true;
    if (turn === '' && !ours) return this.#outside(type);
    return ours || turn === this.#run ? 'belongs' : 'skip';
  }

  #outside(type: string): 'skip' | 'belongs' | 'last' {
    if (this.#run === undefined && !this.#settled) return 'skip';
    return type === 'idle' && this.#settled ? 'last' : 'belongs';
  }
}
