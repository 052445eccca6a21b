import type { SessionEvent } from '@bulkhead/protocol';
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

class SessionGrammar {
  readonly #replayed: boolean;
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
    this.#idle = event.type === 'idle';
    if (event.type === 'agent_start') {
      if (this.#run !== undefined) problems.push('the run before has not settled');
      this.#run = new RunGrammar(event.turn, event.message, this.#replayed);
      this.#runs += 1;
      return problems;
    }
    if (event.type === 'idle') {
      return [...problems, ...(this.#run === undefined && event.turn === '' ? [] : ['inside a run'])];
    }
    problems.push(...(this.#run?.take(event) ?? ['outside of a run']));
    if (event.type === 'settled') this.#run = undefined;
    return problems;
  }

  end(): string[] {
    return [
      ...(this.#run === undefined ? [] : ['the last run did not settle']),
      ...(this.#runs > 0 ? [] : ['there is no run']),
      ...(this.#idle ? [] : ['idle is not the last event']),
    ];
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
