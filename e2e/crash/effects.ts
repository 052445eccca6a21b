import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, type Job, LEDGER, madeBy, removedBy, type Step, textAfter, textBefore } from './job.ts';

/**
 * Effect of one step on the disk: how often it was done, or that its file is neither as before nor
 * as after.
 */
export type Effect = number | 'torn';

/** Looks at what a session's steps have left in its folder. */
export function effectsOf(folder: string, jobs: readonly Job[]): ReadonlyMap<string, Effect> {
  const ledger = (readOrNull(join(folder, LEDGER)) ?? '').split('\n');
  const steps = jobs.flatMap(({ rounds }) => rounds.flat()).filter(({ tool }) => tool !== 'read');
  return new Map(
    steps.map((step) => [
      step.token,
      step.tool === 'bash'
        ? commandEffect(folder, step, ledger.filter((line) => line === step.token).length)
        : fileEffect(step, readOrNull(join(folder, fileOf(step)))),
    ]),
  );
}

/**
 * A command's changes must all exist, or none of them [B2].
 *
 * @param lines of its token in the ledger
 */
function commandEffect(folder: string, { token }: Step, lines: number): Effect {
  const made = readOrNull(join(folder, madeBy(token)));
  const removed = readOrNull(join(folder, removedBy(token)));
  const isAfter = made === `${token}\n` && removed === null;
  const isBefore = made === null && removed !== null;
  return (lines > 0 ? isAfter : isBefore) ? lines : 'torn';
}

function fileEffect({ tool, token }: Step, text: string | null): Effect {
  if (text === textAfter(token)) return 1;
  return text === (tool === 'edit' ? textBefore(token) : null) ? 0 : 'torn';
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
