import { shownName } from '@bulkhead/files';
import type { CommandEffects, ObservedChange } from '@bulkhead/protocol';
import { findingOf } from './effect-findings.ts';
import type { Finding, GitParts } from './finding.ts';
import { gitPartsOf } from './git-parts.ts';
import { NameFacts } from './name-facts.ts';

/** What is to become of a command's changes. */
export type EffectsVerdict =
  | { readonly decision: 'commit' }
  | {
      readonly decision: 'ask' | 'drop';
      readonly rule: string;
      /** A sentence that names what it is about. */
      readonly reason: string;
      /** Every single thing that decided, a line each. */
      readonly findings: readonly string[];
    };

/** What the judge may know of the folder besides what was changed. */
export interface FolderFacts extends GitParts {
  /** Absolute. */
  readonly workingFolder: string;
  /** How many entries it has itself; asked only if some were deleted. */
  entries(): number;
}

/** More deleted files than this are for a person to decide. */
const MANY = 50;
/** Deleting most of what is in the folder is, too, if there was anything to speak of. */
const SOME = 3;
/** Findings that are spelled out in one sentence. */
const NAMED = 3;
/** A person can't read more than this before saying yes. */
const MOST_ASKED = 200;

/**
 * Judges what a command did before any of it is kept: one thing that nobody may do drops everything, one that a person
 * must decide asks. Pure but for the facts it is given.
 */
export function judgeEffects(effects: CommandEffects, folder: FolderFacts): EffectsVerdict {
  const found: { readonly finding: Finding; readonly change: ObservedChange }[] = [];
  const gitParts = gitPartsOf(effects.changes, folder);
  const known = new NameFacts();
  const { workingFolder } = folder;
  for (const change of effects.changes) {
    const names = namesOf(change);
    const text = effects.texts?.get(Buffer.from(change.path).toString('latin1'));
    const finding = findingOf(change, { names, facts: known.of(names), workingFolder, gitParts, text });
    if (finding !== undefined) found.push({ finding, change });
  }
  const dropped = found.filter(({ finding }) => finding.decision === 'drop');
  const deciding = dropped.length > 0 ? dropped : found;
  const mass = dropped.length > 0 ? undefined : massDeletion(effects.changes, folder, known);
  const [first] = deciding;
  if (first === undefined) {
    return mass === undefined
      ? { decision: 'commit' }
      : { decision: 'ask', rule: 'effects/mass-deletion', reason: mass, findings: [mass] };
  }
  if (dropped.length === 0 && found.length > MOST_ASKED) return tooMany(found.length);
  const sentences = deciding
    .slice(0, MOST_ASKED)
    .map(({ finding, change }) => `${shownName(change.path)} ${finding.reason}`);
  const more = deciding.length > NAMED ? [`and ${deciding.length - NAMED} more`] : [];
  const deletion = mass === undefined ? [] : [mass];
  return {
    decision: first.finding.decision,
    rule: `effects/${first.finding.rule}`,
    reason: [...sentences.slice(0, NAMED), ...more, ...deletion].join('; '),
    findings: [...sentences, ...deletion],
  };
}

function tooMany(count: number): EffectsVerdict {
  const reason = `${count} changes would each have to be allowed, more than a person can be shown`;
  return { decision: 'drop', rule: 'effects/too-many', reason, findings: [reason] };
}

/** Emptied files count: what was in them is gone as well. */
function massDeletion(
  changes: readonly ObservedChange[],
  folder: FolderFacts,
  known: NameFacts,
): string | undefined {
  const isMissed = (change: ObservedChange) =>
    !known.of(namesOf(change)).some(({ isRebuildable, isGit }) => isRebuildable || isGit);
  const gone = changes.filter((change) => isLoss(change) && isMissed(change));
  const files = gone.filter(({ was }) => was !== 'folder').length;
  if (files > MANY) return `${files} files would be deleted`;
  const top = gone.filter((change) => change.what === 'deleted' && namesOf(change).length === 1).length;
  if (top < SOME) return undefined;
  const entries = folder.entries();
  return top * 2 > entries ? `${top} of the ${entries} entries of the folder would be deleted` : undefined;
}

function isLoss({ what, kind, was, size, wasSize }: ObservedChange): boolean {
  if (what === 'deleted') return true;
  if (what === 'replaced' && kind !== was) return true;
  return what !== 'created' && was === 'file' && size === 0 && wasSize > 0;
}

/** Components as text; bytes that are no UTF-8 become characters that are in no protected name. */
function namesOf({ path }: ObservedChange): readonly string[] {
  return Buffer.from(path).toString('utf8').split('/');
}
