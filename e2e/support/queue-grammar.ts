import type { SessionEvent } from '@bulkhead/protocol';

type QueueUpdate = Extract<SessionEvent, { type: 'queue_update' }>;

/** The waiting messages that clients receive, and the one end of every message. */
export class QueueGrammar {
  #waiting: ReadonlySet<string> = new Set();
  #told = JSON.stringify([[], []]);
  readonly #settled = new Set<string>();
  /** These have left the queue: the next update must say so. */
  readonly #left = new Set<string>();
  /** A queue update dropped these: they must join the run that begins, or have been taken. */
  readonly #owed = new Set<string>();

  take({ steer, followUp }: QueueUpdate): string[] {
    const told = JSON.stringify([steer, followUp]);
    const ids = new Set([...steer, ...followUp]);
    const added = [...ids].filter((id) => !this.#waiting.has(id));
    const removed = [...this.#waiting].filter((id) => !ids.has(id));
    const problems = told === this.#told ? ['nothing has changed'] : [];
    if (ids.size < steer.length + followUp.length) problems.push('a message waits twice');
    if (added.length > 1 || (added.length > 0 && removed.length > 0)) problems.push('an update is missing');
    const gone = [...ids].filter((id) => this.#settled.has(id) || this.#left.has(id));
    problems.push(...gone.map((id) => `message ${id} does not wait any more`));
    for (const id of removed) if (!this.#left.has(id)) this.#owed.add(id);
    this.#told = told;
    this.#waiting = ids;
    this.#left.clear();
    return problems;
  }

  /** A message is taken: if clients saw it wait, they must see its removal before `overdue`. */
  leaves(message: string): void {
    if (this.#waiting.has(message)) this.#left.add(message);
  }

  isWaiting(message: string): boolean {
    return this.#waiting.has(message);
  }

  overdue(): string[] {
    const problems = [...this.#left].map((message) => `queue_update does not say that ${message} is taken`);
    this.#left.clear();
    return problems;
  }

  /** No message may vanish from the queue. */
  vanished(): string[] {
    const problems = [...this.#owed].map((message) => `message ${message} is not in the queue and not taken`);
    this.#owed.clear();
    return problems;
  }

  /** Each message has one end. */
  settled(message: string): string[] {
    const again = this.#settled.has(message);
    this.#settled.add(message);
    this.#owed.delete(message);
    return again ? [`message ${message} was settled before`] : [];
  }

  wasSettled(message: string): boolean {
    return this.#settled.has(message);
  }

  idle(): string[] {
    return [...this.vanished(), ...[...this.#waiting].map((message) => `message ${message} waits`)];
  }
}
