import type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
import { foldName } from './fold-name.ts';
import { gitRefusal } from './git-refusal.ts';
import { nameMatcher } from './name-matcher.ts';
import { folderRefusal, pathRefusal } from './protected-names.ts';
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
 * @param made index of a folder whose content programs make: what is run later only below it is not asked about
 * @returns undefined if the change may be
 */
export function changeRefusal(
  names: readonly string[],
  what: ChangeWhat,
  kind: ChangedKind,
  was: ChangedKind = 'folder',
  made: number = names.slice(0, -1).findIndex(isFetched),
): ChangeRefusal | undefined {
  const git = names.findLastIndex(isGit);
  const refusal = pathRefusal(git < 0 ? names : [...names.slice(0, git), 'repository'], 'write');
  if (refusal !== undefined && !(refusal.rule === 'credentials' && isMade(names, made))) {
    return { decision: 'block', ...refusal };
  }
  if (git >= 0) return gitRefusal({ what, kind, was }, names.slice(git + 1).map(foldName));
  const by = what === 'deleted' ? undefined : runBy(names, made < 0 ? undefined : made);
  return by === undefined
    ? undefined
    : mustBeAllowed(`is executed later, by ${by}, without anybody asking for it`);
}

/** True if the way to what programs made leads through nothing that is protected. */
function isMade(names: readonly string[], made: number): boolean {
  return made >= 0 && !names.slice(0, made).some((name) => folderRefusal(name, 'write') !== undefined);
}

function mustBeAllowed(reason: string): ChangeRefusal {
  return { decision: 'escalate', rule: 'executed-later', reason };
}
