import type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
import { foldName } from './fold-name.ts';
import { gitRefusal } from './git-refusal.ts';
import { nameMatcher } from './name-matcher.ts';
import { pathRefusal } from './protected-names.ts';
import { runBy } from './run-later.ts';

const isGit = nameMatcher(['.git']);
/** What lies here was fetched as it is; its names mean nothing to programs that work on the project. */
const isFetched = nameMatcher(['node_modules', 'site-packages', 'dist-packages']);

/**
 * Judges one change below a working folder by its name, whoever makes it: a file tool before it writes, the engine
 * over what a command left (FT14). Stricter rules of a tool come on top: file tools never write into a `.git`.
 *
 * @param names components below the working folder, the object's own last
 * @param kind what has the name afterwards
 * @param was what had it before; `folder` where that isn't known, as the most that could be lost
 * @returns undefined if the change may be
 */
export function changeRefusal(
  names: readonly string[],
  what: ChangeWhat,
  kind: ChangedKind,
  was: ChangedKind = 'folder',
): ChangeRefusal | undefined {
  const git = names.findLastIndex(isGit);
  const refusal = pathRefusal(git < 0 ? names : [...names.slice(0, git), 'repository'], 'write');
  const fetched = names.slice(0, -1).some(isFetched);
  if (refusal !== undefined && !(fetched && refusal.rule === 'credentials')) {
    return { decision: 'block', ...refusal };
  }
  if (git >= 0) return gitRefusal({ what, kind, was }, names.slice(git + 1).map(foldName));
  const by = fetched || what === 'deleted' ? undefined : runBy(names);
  return by === undefined
    ? undefined
    : mustBeAllowed(`is executed later, by ${by}, without anybody asking for it`);
}

function mustBeAllowed(reason: string): ChangeRefusal {
  return { decision: 'escalate', rule: 'executed-later', reason };
}
