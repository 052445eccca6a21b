import { isAbsolute, normalize } from 'node:path/posix';
import type { Action, ActionPath } from '@bulkhead/protocol';
import type { Glob } from '../patterns/glob.ts';
import { type GlobBudget, matchGlob } from '../patterns/match-glob.ts';
import type { PolicyList, RuleMatch } from './policy.ts';
import { failureAmong, notResolved, quote } from './wording.ts';

/**
 * Returns why `path` and `access` do not hold together. @throws BulkheadError `internal` for an
 * unresolved path
 */
export function pathFailure(
  list: PolicyList,
  match: RuleMatch,
  action: Action,
  budget: GlobBudget,
): string | undefined {
  return failureAmong(
    list,
    'path',
    pathsOf(list, action),
    (path) => pathHolds(match, path, action, budget),
    ({ path, access }) => `${quote(path)} (${access})`,
  );
}

/** No person's permission for a folder or a file is stronger than a deny rule. */
function pathsOf(list: PolicyList, { metadata }: Action): readonly ActionPath[] {
  if (list !== 'deny') return metadata.paths;
  const { workingFolder, toolchains = [], folders = [], secretFiles = [] } = metadata;
  const shown = [...toolchains, ...folders];
  const read = [...shown.map(({ path }) => path), ...secretFiles.map((name) => `${workingFolder}/${name}`)];
  return [
    ...metadata.paths,
    ...read.map((path) => ({ path, access: 'read' as const })),
    ...shown.filter(({ write }) => write === true).map(({ path }) => ({ path, access: 'write' as const })),
  ];
}

/** Returns why `folder` does not hold. @throws BulkheadError as above */
export function folderFailure(
  globs: readonly Glob[],
  { metadata }: Action,
  budget: GlobBudget,
): string | undefined {
  const folder = resolved(metadata.workingFolder);
  return globs.some((glob) => matchGlob(glob, folder, { separators: '/' }, budget))
    ? undefined
    : `the working folder is ${quote(folder)}`;
}

function pathHolds(
  { path: globs, access }: RuleMatch,
  path: ActionPath,
  action: Action,
  budget: GlobBudget,
): boolean {
  if (access !== undefined && !access.includes(path.access)) return false;
  if (globs === undefined) return true;
  const input = {
    separators: '/',
    variables: { workingFolder: folderPrefix(action.metadata.workingFolder) },
  };
  const text = resolved(path.path);
  return globs.some((glob) => matchGlob(glob, text, input, budget));
}

/** An unresolved path (`..`) could match a pattern and point elsewhere. */
function resolved(path: string): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (!isAbsolute(plain) || normalize(plain) !== plain || plain.includes('\0')) throw notResolved(path);
  return plain;
}

/** Removes the last slash, so that a pattern can continue with one; empty for the root. */
function folderPrefix(folder: string): string {
  const plain = resolved(folder);
  return plain === '/' ? '' : plain;
}
