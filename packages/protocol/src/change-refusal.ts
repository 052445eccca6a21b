import type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
import { foldName } from './fold-name.ts';
import { gitRefusal } from './git-refusal.ts';
import { nameMatcher } from './name-matcher.ts';
import { folderRefusal, pathRefusal } from './protected-names.ts';
import { runBy } from './run-later.ts';

const isGit = nameMatcher(['.git']);
/** Folders of fetched content, whose names mean nothing to programs that work on the project. */
const isFetched = nameMatcher(['node_modules', 'site-packages', 'dist-packages']);

/**
 * Judges one change below a working folder by its name, from any source: a file tool before it
 * writes, the engine over a command's changes (FT14). Stricter rules of a tool apply in addition:
 * file tools never write into a `.git`.
 *
 * @param names components below the working folder, the object's own last
 * @param kind of the object afterwards
 * @param was kind before; `folder` if unknown, as the largest possible loss
 * @param made index of a folder whose content programs make: no approval for files that would be
 *   run later only inside it
 * @returns undefined if the change is allowed
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
  return by === undefined ? undefined : mustBeAllowed(`is run automatically by ${by}`);
}

/** True if no component up to the made folder is protected. */
function isMade(names: readonly string[], made: number): boolean {
  return made >= 0 && !names.slice(0, made).some((name) => folderRefusal(name, 'write') !== undefined);
}

function mustBeAllowed(reason: string): ChangeRefusal {
  return { decision: 'escalate', rule: 'executed-later', reason };
}
