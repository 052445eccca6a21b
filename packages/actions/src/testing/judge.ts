import { effectsOf } from '@bulkhead/home/testing';
import type { ObservedChange } from '@bulkhead/protocol';
import { judgeEffects } from '../transactions/judge-effects.ts';

/** What a change has that is not like a new file's. */
export type Fields = Partial<ObservedChange>;

/**
 * Judges changes in a folder of which a test says what it holds.
 *
 * @param isGit folders that hold a `HEAD` already
 * @param hasSettings folders that hold what git obeys already
 */
export function judge(
  changes: readonly ObservedChange[],
  entries = 100,
  isGit: readonly string[] = [],
  hasSettings: readonly string[] = [],
) {
  return judgeEffects(effectsOf(changes), {
    workingFolder: '/project',
    entries: () => entries,
    isGitFolder: (path) => isGit.includes(Buffer.from(path).toString('latin1')),
    hasSettings: (path) => hasSettings.includes(Buffer.from(path).toString('latin1')),
  });
}

/** How deep a name may lie. */
export const depths = ['', 'a/', 'a/b/', 'a/b/c/d/e/f/'];
