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
  const problems: string[] = [];
  let seq = (options.firstSeq ?? 1) - 1;
  let run: RunGrammar | undefined;
  let runs = 0;
  for (const event of events) {
    const problem = (text: string): unknown => problems.push(`${event.seq} ${event.type}: ${text}`);
    // A delta carries the number of the durable event that comes next.
    if (event.seq !== seq + 1) problem(`seq is not ${seq + 1}`);
    if (event.ephemeral !== true) seq = event.seq;
    if (event.session !== events[0]?.session) problem('another session');
    if (event.type === 'agent_start') {
      if (run !== undefined) problem('the run before has not settled');
      run = new RunGrammar(event.turn, event.message, options.replayed === true);
      runs += 1;
    } else if (event.type === 'idle') {
      if (run !== undefined) problem('in the middle of a run');
      if (event.turn !== '') problem('belongs to a run');
    } else if (run === undefined) {
      problem('outside of a run');
    } else {
      for (const text of run.take(event)) problem(text);
      if (event.type === 'settled') run = undefined;
    }
  }
  if (run !== undefined) problems.push('the last run did not settle');
  if (runs === 0) problems.push('there is no run');
  if (events.at(-1)?.type !== 'idle') problems.push('idle is not the last event');
  return problems;
}
