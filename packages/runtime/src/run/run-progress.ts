import type { Message } from '@bulkhead/protocol/chat';
import { RunTotals } from './run-totals.ts';

/** A place in a run to go back to. */
interface RunPlace {
  /** The entry that the next one hangs below. */
  readonly parent: string | null;
  /** How many messages of the run lead there. */
  readonly messages: number;
}

/** How far a run has come: the engine's own copy of what its records say. */
export interface RunProgress {
  /** The leaf before the run. */
  readonly start: string | null;
  parent: string | null;
  /** The entry of the message the run is for; undefined before it has begun. */
  firstEntry: string | undefined;
  /** Where a failed attempt goes back to: after it, nothing has happened that must be kept [E4]. */
  kept: RunPlace;
  readonly messages: Message[];
  /** Model rounds begun. */
  rounds: number;
  /** Model calls that gave an answer. */
  answers: number;
  readonly totals: RunTotals;
  turnOpen: boolean;
  answering: boolean;
  /** Number of the attempt that a `retry_start` announced and no `retry_end` has closed. */
  retrying: number | undefined;
}

/** A run that has not begun. */
export function noProgress(leaf: string | null): RunProgress {
  return {
    start: leaf,
    parent: leaf,
    firstEntry: undefined,
    kept: { parent: leaf, messages: 0 },
    messages: [],
    rounds: 0,
    answers: 0,
    totals: new RunTotals(),
    turnOpen: false,
    answering: false,
    retrying: undefined,
  };
}
