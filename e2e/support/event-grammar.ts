import type { SessionEvent } from '@bulkhead/protocol';
import { QueueGrammar } from './queue-grammar.ts';
import { RunGrammar } from './run-grammar.ts';

export interface GrammarOptions {
  /** `seq` of the first durable event; default 1, a session from its beginning. */
  readonly firstSeq?: number;
  /** Lines of a replay: what is not kept isn't there, so deltas can't be compared with their message. */
  readonly replayed?: boolean;
}

/**
 * Checks event lines against the grammar of the contract [T6]: whole runs, one after the other, ended by `idle`.
 *
 * @returns everything that is wrong, with the place; empty if nothing is
 */
export function grammarProblems(events: readonly SessionEvent[], options: GrammarOptions = {}): string[] {
  const grammar = new SessionGrammar(options);
  const problems = events.flatMap((event) =>
    grammar.take(event).map((text) => `${event.seq} ${event.type}: ${text}`),
  );
  return [...problems, ...grammar.end()];
}

const BESIDE: ReadonlySet<SessionEvent['type']> = new Set(['session_title', 'label', 'leaf_moved']);

class SessionGrammar {
  readonly #replayed: boolean;
  readonly #queue = new QueueGrammar();
  #seq: number;
  #session: string | undefined;
  #run: RunGrammar | undefined;
  #runs = 0;
  #idle = false;

  constructor({ firstSeq = 1, replayed = false }: GrammarOptions) {
    this.#seq = firstSeq - 1;
    this.#replayed = replayed;
  }

  take(event: SessionEvent): string[] {
    const problems = this.#envelope(event);
    // Changes of the tree by a person come beside any other event, also after everything.
    this.#idle = event.type === 'idle' || (this.#idle && BESIDE.has(event.type));
    problems.push(...(event.turn === '' ? this.#outside(event) : this.#inside(event)));
    return problems;
  }

  end(): string[] {
    return [
      ...(this.#run === undefined ? [] : ['the last run did not settle']),
      ...(this.#runs > 0 ? [] : ['there is no run']),
      ...(this.#idle ? [] : ['idle is not the last event']),
    ];
  }

  #inside(event: SessionEvent): string[] {
    if (event.type === 'agent_start') {
      const problems = this.#run === undefined ? [] : ['the run before has not settled'];
      if (this.#queue.wasSettled(event.message)) problems.push('its message was settled before');
      problems.push(...this.#queue.overdue());
      this.#queue.leaves(event.message);
      this.#run = new RunGrammar(event.turn, event.message, this.#replayed, this.#queue);
      this.#runs += 1;
      return problems;
    }
    const run = this.#run;
    if (run === undefined) return ['outside of a run'];
    const problems = run.take(event);
    if (run.isSettled) this.#run = undefined;
    return problems;
  }

  /** Events that belong to the session and to no run of it. */
  #outside(event: SessionEvent): string[] {
    const problems = this.#run?.overdue() ?? [];
    if (event.type === 'queue_update') return [...problems, ...this.#queue.take(event)];
    problems.push(...this.#queue.overdue());
    switch (event.type) {
      case 'idle':
        return [...problems, ...(this.#run === undefined ? this.#queue.idle() : ['inside a run'])];
      case 'session_title':
        return event.title === '' ? [...problems, 'without a title'] : problems;
      case 'settled':
        return [...problems, ...this.#unrun(event)];
      case 'label':
        return problems;
      case 'leaf_moved':
        return this.#run === undefined ? problems : [...problems, 'inside a run'];
      default:
        return [...problems, 'outside of a run'];
    }
  }

  /** A message that waited and was cancelled. */
  #unrun({ message, outcome, answer, rounds }: Extract<SessionEvent, { type: 'settled' }>): string[] {
    const problems = this.#queue.settled(message);
    if (outcome !== 'aborted' || answer !== '' || rounds !== 0) problems.push('not run, and not cancelled');
    if (!this.#queue.isWaiting(message)) problems.push('the message did not wait');
    this.#queue.leaves(message);
    return problems;
  }

  /** Durable events count up by one; any other carries the number of the durable one that comes next. */
  #envelope({ seq, session, ephemeral }: SessionEvent): string[] {
    this.#session ??= session;
    const problems = seq === this.#seq + 1 ? [] : [`seq is not ${this.#seq + 1}`];
    if (session !== this.#session) problems.push('of another session');
    if (ephemeral !== true) this.#seq = seq;
    return problems;
  }
}
