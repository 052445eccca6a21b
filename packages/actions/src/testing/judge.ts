import { effectsOf, observed } from '@bulkhead/home/testing';
import type { ChangedText, ObservedChange } from '@bulkhead/protocol';
import { judgeEffects } from '../transactions/judge-effects.ts';

/** The differences of a change from that of a new file. */
export type Fields = Partial<ObservedChange>;

/**
 * Judges changes in a folder whose content the test defines.
 *
 * @param isGit existing folders with a `HEAD`
 * @param hasSettings existing folders with files that git obeys
 * @param texts content of changed files, by path
 */
export function judge(
  changes: readonly ObservedChange[],
  entries = 100,
  isGit: readonly string[] = [],
  hasSettings: readonly string[] = [],
  texts: ReadonlyMap<string, ChangedText> = new Map(),
) {
  return judgeEffects(
    { ...effectsOf(changes), texts },
    {
      workingFolder: '/project',
      entries: () => entries,
      isGitFolder: (path) => isGit.includes(Buffer.from(path).toString('latin1')),
      hasSettings: (path) => hasSettings.includes(Buffer.from(path).toString('latin1')),
    },
  );
}

/** Judges one file with its content, in the folder `/project`. */
export function judgeText(path: string, after: string | undefined, before?: string, fields: Fields = {}) {
  const was = before === undefined ? 'missing' : 'file';
  const kind = after === undefined ? 'missing' : 'file';
  const what = after === undefined ? 'deleted' : before === undefined ? 'created' : 'changed';
  const change = observed(path, { what, kind, was, ...fields });
  return judge([change], 100, [], [], new Map([[path, { before, after }]]));
}

/** Depths at which a name is tested. */
export const depths = ['', 'a/', 'a/b/', 'a/b/c/d/e/f/'];
