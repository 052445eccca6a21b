import { shownName } from '@bulkhead/files';
import type { CommandEffects, ObservedChange } from '@bulkhead/protocol';
import { findingOf } from './effect-findings.ts';
import type { Finding, GitParts } from './finding.ts';
import { gitPartsOf } from './git-parts.ts';
import { NameFacts } from './name-facts.ts';

/** The verdict about a command's changes. */
export type EffectsVerdict =
  | { readonly decision: 'commit' }
  | {
      readonly decision: 'ask' | 'drop';
      readonly rule: string;
      /** A full sentence with its subject. */
      readonly reason: string;
      /** Every finding that decided, one per line. */
      readonly findings: readonly string[];
    };

/** Facts about the folder that the judge may use besides the changes. */
export interface FolderFacts extends GitParts {
  /** Absolute. */
  readonly workingFolder: string;
  /** Its number of direct entries; read only if some were deleted. */
  entries(): number;
}

/** If more files are deleted, a person must decide. */
const MANY = 50;
/** Also if most of the folder's entries are deleted, from this number on. */
const SOME = 3;
/** Findings that are spelled out in one sentence. */
const NAMED = 3;
/** A person cannot read more before approving. */
const MOST_ASKED = 200;

/**
 * Judges the effects of a command before any is kept: one forbidden change drops everything; one
 * change that a person must decide escalates. Pure, apart from the given facts.
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

/** Emptied files count as deleted: their content is lost as well. */
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

/** Components as text; invalid UTF-8 becomes characters that no protected name contains. */
function namesOf({ path }: ObservedChange): readonly string[] {
  return Buffer.from(path).toString('utf8').split('/');
}
