import { effectsOf } from '@bulkhead/home/testing';
import type { ObservedChange } from '@bulkhead/protocol';
import { judgeEffects } from '../transactions/judge-effects.ts';

/** The differences of a change from that of a new file. */
export type Fields = Partial<ObservedChange>;

/**
 * Judges changes in a folder whose content the test defines.
 *
 * @param isGit existing folders with a `HEAD`
 * @param hasSettings existing folders with files that git obeys
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

/** Depths at which a name is tested. */
export const depths = ['', 'a/', 'a/b/', 'a/b/c/d/e/f/'];
