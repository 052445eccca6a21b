import type { SnapshotSummary } from '@bulkhead/protocol/client';

/** Longest time without a message, milliseconds. */
const FIRST_MS = 2_000;
const AGAIN_MS = 5_000;

/**
 * Limit of restored objects: those of the action, or of its whole answer. An object changed by
 * several actions counts for each.
 */
export function objectsChanged(snapshots: readonly SnapshotSummary[], id: string, turn: boolean): number {
  const chosen = snapshots.find((one) => one.id === id);
  if (chosen === undefined) return 0;
  const counted = turn
    ? snapshots.filter(({ runId, id: own }) => own === id || runId === chosen.runId)
    : [chosen];
  return counted.filter(({ undoneBy }) => undoneBy === '').reduce((sum, { changed }) => sum + changed, 0);
}

/**
 * Reports the current work and its duration while it takes long.
 *
 * @param what follows "…", such as `putting up to 5000 objects back`
 * @param say shows a line to the person
 * @returns the result of the work; rejects as it does
 */
export async function sayWhile<Outcome>(
  work: Promise<Outcome>,
  what: string,
  say: (line: string) => void,
): Promise<Outcome> {
  let waitedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      waitedMs += ms;
      say(`… ${what}, ${waitedMs / 1_000} s`);
      wait(AGAIN_MS);
    }, ms);
  };
  wait(FIRST_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
