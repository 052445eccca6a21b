import { shownName } from '@bulkhead/files';
import type { CommandEffects, ObservedChange } from '@bulkhead/protocol';
import { findingOf } from './effect-findings.ts';
import type { Finding, GitParts } from './finding.ts';
import { gitPartsOf } from './git-parts.ts';
import { type Losses, lossesOf, massLoss } from './losses.ts';
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
      /** True if one of them is the loss of contents. */
      readonly namesLoss?: true;
    };

/** Facts about the folder that the judge may use besides the changes. */
export interface FolderFacts extends GitParts {
  /** Absolute. */
  readonly workingFolder: string;
  /** Its number of direct entries; read only if some were deleted. */
  entries(): number;
}

/** Findings that are spelled out in one sentence. */
const NAMED = 3;
/** A person cannot read more before approving. */
const MOST_ASKED = 200;

/**
 * Judges the effects of a command before any is kept: one forbidden change drops everything; one
 * change that a person must decide escalates. Pure, apart from the given facts.
 */
export function judgeEffects(
  effects: CommandEffects,
  folder: FolderFacts,
  losses: Losses = lossesOf(effects),
): EffectsVerdict {
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
  const mass = dropped.length > 0 ? undefined : massLoss(effects.changes, losses, folder);
  const [first] = deciding;
  if (first === undefined) {
    return mass === undefined
      ? { decision: 'commit' }
      : { decision: 'ask', rule: 'effects/mass-deletion', reason: mass, findings: [mass], namesLoss: true };
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
    ...(mass === undefined ? {} : { namesLoss: true }),
  };
}

function tooMany(count: number): EffectsVerdict {
  const reason = `${count} changes would each have to be allowed, more than a person can be shown`;
  return { decision: 'drop', rule: 'effects/too-many', reason, findings: [reason] };
}

/** Components as text; invalid UTF-8 becomes characters that no protected name contains. */
function namesOf({ path }: Pick<ObservedChange, 'path'>): readonly string[] {
  return Buffer.from(path).toString('utf8').split('/');
}
