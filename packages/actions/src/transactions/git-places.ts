import { gitRefusal, type ObservedChange, strictestOf } from '@bulkhead/protocol';
import { type ChangePlace, type Finding, findingFrom } from './finding.ts';
import { folderAround } from './git-parts.ts';
import { harmlessSettings } from './git-settings.ts';

const EXECUTE_BITS = 0o111;
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
  const refusal = strictestOf([
    ...(named < 0 ? [] : [gitRefusal(change, folded.slice(named + 1))]),
    ...unnamedStarts(change, place, folded, named).map((at) => gitRefusal(change, folded.slice(at))),
  ]);
  const isRepository = named === folded.length - 1;
  if (refusal !== undefined || isRepository) {
    const finding = ownerFinding(change) ?? settingsFinding(change, place);
    if (finding !== undefined) return finding;
  }
  if (refusal !== undefined) return findingFrom(refusal);
  return completes(change, place, folded, named) ? NEW_REPOSITORY : undefined;
}

/**
 * Git obeys a repository only if it belongs to the user who runs git, and the owner of a hook may
 * change it: a person decides.
 */
function ownerFinding({ what, owners, mode, wasMode }: ObservedChange): Finding | undefined {
  if (what !== 'metadata' || owners === undefined || (mode & ~wasMode & EXECUTE_BITS) !== 0) return undefined;
  const reason = `is obeyed by git, and would belong to ${owners.now}, not ${owners.was}`;
  return { decision: 'ask', rule: 'git-settings', reason };
}

/** A person may allow settings of the present repository that name no program. */
function settingsFinding(
  { kind, was }: ObservedChange,
  { names, facts, text }: ChangePlace,
): Finding | undefined {
  const isConfig = names.at(-1) === 'config' && names.at(-2) === '.git';
  if (!isConfig || facts.filter(({ isGit }) => isGit).length !== 1 || kind !== 'file' || was !== 'file')
    return undefined;
  if (text?.before === undefined || text.after === undefined) return undefined;
  const clauses = harmlessSettings(text.before, text.after);
  if (clauses === undefined) return undefined;
  const reason =
    clauses.length === 0 ? 'is written anew, with the same settings' : `would say: ${clauses.join('; ')}`;
  return { decision: 'ask', rule: 'git-settings', reason };
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
