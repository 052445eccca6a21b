import { gitRefusal, type ObservedChange } from '@bulkhead/protocol';
import { type ChangePlace, type Finding, findingFrom } from './finding.ts';

/** Judges a change below a `.git`, at any depth, or in a folder that is one without the name. */
export function gitFinding(change: ObservedChange, place: ChangePlace): Finding | undefined {
  const folded = place.facts.map((fact) => fact.folded);
  const at = place.facts.findLastIndex(({ isGit }) => isGit);
  const from = at >= 0 ? at + 1 : unnamedGitFolder(folded, place);
  const refusal = from === undefined ? undefined : gitRefusal(change, folded.slice(from));
  return refusal === undefined ? undefined : findingFrom(refusal);
}

/** A repository needs no name of its own: git takes any folder that looks like one, and obeys its settings. */
function unnamedGitFolder(
  folded: readonly string[],
  { names, isGitFolder }: ChangePlace,
): number | undefined {
  for (const [at, name] of folded.entries()) {
    const isPart = name === 'hooks' || name === 'config' || name === 'commondir' || name === 'info';
    if (isPart && isGitFolder(names.slice(0, at))) return at;
  }
  return undefined;
}
