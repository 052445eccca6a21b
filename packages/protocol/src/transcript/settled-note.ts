import type { Outcome } from '../events.ts';

/** The next step after the round limit. */
const CONTINUE = 'To continue, send another message; --max-rounds or limits.maxRounds allows more rounds.';

/** Why a run ended without an answer, in one line; undefined if it ended well. */
export function settledNote(event: {
  readonly outcome: Outcome;
  readonly rounds: number;
  readonly error?: { readonly message: string };
}): string | undefined {
  const reason = event.error?.message ?? '';
  switch (event.outcome) {
    case 'completed':
      return undefined;
    case 'merged':
      return 'the message joined the run before it';
    case 'failed':
      return reason === '' ? 'the run failed' : `failed: ${reason}`;
    case 'aborted':
      return 'cancelled';
    case 'blocked':
      return reason === '' ? 'blocked: the last action was refused' : `blocked: ${reason}`;
    case 'limit':
      return reason === ''
        ? `stopped at the round limit, ${roundsText(event.rounds)}. ${CONTINUE}`
        : `stopped: ${reason}`;
  }
}

/**
 * At the limit a model gets one more call, without tools, for a last answer; it counts as a round.
 */
function roundsText(rounds: number): string {
  const before = Math.max(0, rounds - 1);
  return `after ${before} ${before === 1 ? 'round' : 'rounds'} and a last answer`;
}
