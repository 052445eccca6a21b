import { nameMatcher, type ObservedChange, pathRefusal } from '@bulkhead/protocol';
import { shownName } from '@bulkhead/tools';
import { gitFinding } from './git-places.ts';
import { isRebuildable, runLater } from './known-places.ts';

/** Something about one change that a person must decide, or that nobody may. */
export interface Finding {
  readonly decision: 'ask' | 'drop';
  /** Last part of the rule's name, as policies and people see it. */
  readonly rule: string;
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

const isOwn = nameMatcher(['.bulkhead', '.bulkhead-scratch']);
const SET_ID_BITS = 0o6000;

/**
 * Judges one change by its name and kind.
 *
 * @param names the path's components as text that keeps bytes apart
 * @param workingFolder absolute
 * @param isGitFolder whether a folder, given by its components, is one that git works in without being called `.git`
 */
export function findingOf(
  change: ObservedChange,
  names: readonly string[],
  workingFolder: string,
  isGitFolder: (folder: readonly string[]) => boolean,
): Finding | undefined {
  return (
    ownFinding(names) ??
    setIdFinding(change) ??
    specialFinding(change) ??
    gitFinding(change, names, isGitFolder) ??
    credentialFinding(change, names) ??
    linkFinding(change, names, workingFolder) ??
    laterFinding(change, names)
  );
}

function ownFinding(names: readonly string[]): Finding | undefined {
  return names.some(isOwn)
    ? { decision: 'drop', rule: 'engine-files', reason: 'belongs to Bulkhead itself' }
    : undefined;
}

function setIdFinding({ kind, mode, wasMode }: ObservedChange): Finding | undefined {
  const gained = kind === 'file' && (mode & ~wasMode & SET_ID_BITS) !== 0;
  return gained
    ? { decision: 'drop', rule: 'set-user', reason: 'would run with the rights of its owner' }
    : undefined;
}

function specialFinding({ kind, what }: ObservedChange): Finding | undefined {
  if (kind !== 'other' || what === 'deleted') return undefined;
  return { decision: 'drop', rule: 'special-file', reason: 'is a pipe, a socket or a device' };
}

/** What a package manager brings in, examples and tests among it, is no secret of this user's. */
function credentialFinding({ what }: ObservedChange, names: readonly string[]): Finding | undefined {
  const refusal = pathRefusal(names, 'write');
  if (refusal?.rule !== 'credentials') return undefined;
  if (isRebuildable(names) && (what === 'created' || what === 'deleted')) return undefined;
  return { decision: 'drop', rule: refusal.rule, reason: refusal.reason };
}

/** Decided by the words of the link alone: nothing is looked up. */
function linkFinding(
  { kind, target, what }: ObservedChange,
  names: readonly string[],
  workingFolder: string,
): Finding | undefined {
  if (kind !== 'link' || target === undefined || what === 'metadata') return undefined;
  const text = Buffer.from(target).toString('latin1');
  if (!leaves(text, names, workingFolder)) return undefined;
  // Environments link to the programs they were made with.
  if (isRebuildable(names) && /^\/(usr|opt|bin|lib|lib64)\//.test(text) && !text.includes('/..'))
    return undefined;
  return {
    decision: 'ask',
    rule: 'link-out',
    reason: `leads out of the working folder, to ${shownName(target)}`,
  };
}

function leaves(target: string, names: readonly string[], workingFolder: string): boolean {
  if (target.startsWith('/')) {
    const inside = target === workingFolder || target.startsWith(`${workingFolder}/`);
    return !inside || target.split('/').includes('..');
  }
  let depth = names.length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

function laterFinding({ what }: ObservedChange, names: readonly string[]): Finding | undefined {
  if (what === 'deleted' || isRebuildable(names) || !runLater(names)) return undefined;
  return {
    decision: 'ask',
    rule: 'executed-later',
    reason: 'is run or obeyed by other programs later (executable later)',
  };
}
