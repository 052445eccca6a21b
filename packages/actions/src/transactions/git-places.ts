import { gitRefusal, type JudgeGitPart, type ObservedChange, strictestOf } from '@bulkhead/protocol';
import { type ChangePlace, type Finding, findingFrom } from './finding.ts';
import { gitPartRefusal } from './git-content.ts';
import { folderAround } from './git-parts.ts';

const PARTS = new Set(['hooks', 'config', 'config.worktree', 'commondir', 'info']);
/** Data of a repository in which a `HEAD` is normal. */
const WITH_HEADS = new Set(['refs', 'logs']);

/**
 * Judges a change below a `.git`, at any depth, or in a git folder with another name. If it has
 * several readings, the strictest applies.
 */
export function gitFinding(change: ObservedChange, place: ChangePlace): Finding | undefined {
  const folded = place.facts.map((fact) => fact.folded);
  const named = place.facts.findLastIndex(({ isGit }) => isGit);
  const judge: JudgeGitPart = (part, refusal) => gitPartRefusal(part, refusal, change, place);
  const starts = [...(named < 0 ? [] : [named + 1]), ...unnamedStarts(change, place, folded, named)];
  const refusal = strictestOf(starts.map((at) => gitRefusal(change, folded.slice(at), judge)));
  if (refusal !== undefined) return findingFrom(refusal);
  return completes(change, place, folded, named) ? NEW_REPOSITORY : undefined;
}

/**
 * A repository needs no special name: git accepts any folder with the right files, and obeys its
 * settings.
 */
function unnamedStarts(
  { path }: ObservedChange,
  { gitParts }: ChangePlace,
  folded: readonly string[],
  named: number,
): readonly number[] {
  if (named >= 0 && !WITH_HEADS.has(folded[named + 1] ?? '')) return [];
  return folded.flatMap((name, at) =>
    at > named && PARTS.has(name) && gitParts.isGitFolder(folderAround(path, at)) ? [at] : [],
  );
}

const NEW_REPOSITORY: Finding = {
  decision: 'ask',
  rule: 'executed-later',
  reason: 'makes a repository of its folder, whose settings and hooks git obeys (executable later)',
};

/** A `HEAD` added last turns a harmless folder with some files into a repository. */
function completes(
  { path, what, was }: ObservedChange,
  { gitParts }: ChangePlace,
  folded: readonly string[],
  named: number,
): boolean {
  const at = folded.length - 1;
  const isDirectly = named >= 0 && at === named + 1;
  if (folded[at] !== 'head' || isDirectly) return false;
  if (what === 'deleted' || was === 'file' || was === 'link') return false;
  return gitParts.hasSettings(folderAround(path, at));
}
