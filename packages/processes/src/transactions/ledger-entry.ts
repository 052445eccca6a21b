import { lstatSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ActionFate } from '@bulkhead/protocol';
import { type CommitMark, readCommitMark } from '@bulkhead/sandbox';

/**
 * The remains of a settled command: `held` is the scratch folder of what went on after it, `outcome`
 * is of an earlier version.
 */
const SETTLED: readonly string[] = ['journal', 'outcome', 'held'];

/** One transaction on the disk. */
export interface Entry {
  readonly work: string;
  readonly scratch: string;
  /** A commit was requested. */
  readonly asked: boolean;
}

/**
 * The result of reading an entry: the fate of its action, or that recovery has to repair its folder
 * first (`unsettled`), which it can't while the disk is `away`.
 */
type Look = ActionFate | 'unsettled' | 'away';

/** True if recovery has nothing to do there. */
export function isInOrder(entry: Entry): boolean {
  const look = lookAt(entry);
  return look !== 'unsettled' && look !== 'away';
}

export function lookAt(entry: Entry): Look {
  const { scratch } = entry;
  try {
    if (isLaterUnsettled(entry)) return 'unsettled';
    if (readdirSync(scratch).some((name) => !SETTLED.includes(name))) return 'unsettled';
  } catch (error) {
    return isAbsence(error) ? lookAtAbsence(entry) : 'unsettled';
  }
  const mark = readCommitMark(scratch);
  if (mark === 'none') return 'not_executed';
  return mark === 'committed' ? 'executed' : 'unsettled';
}

/** The later changes of processes that outlive the command are a transaction of their own, beside it. */
export function laterScratch({ scratch }: Pick<Entry, 'scratch'>): string {
  return `${scratch}/held`;
}

/** Without a journal nothing of it is in place: what else is there is of no use any more. */
export function isLaterUnsettled(entry: Entry): boolean {
  const mark = laterMark(entry);
  return mark === 'planned' || mark === 'unreadable';
}

/** True if it holds more than the record of its outcome. */
export function hasLater(entry: Entry): boolean {
  try {
    return readdirSync(laterScratch(entry)).some((name) => name !== 'journal');
  } catch {
    return false;
  }
}

export function laterMark(entry: Entry): CommitMark {
  return readCommitMark(laterScratch(entry));
}

/**
 * A missing scratch folder was never made, or its disk is absent, or it was removed. Both
 * neighbouring folders must exist for its absence to mean anything.
 */
function lookAtAbsence({ work, scratch, asked }: Entry): Look {
  if (isMissing(work) || isMissing(dirname(scratch))) return 'away';
  return asked ? 'unknown' : 'not_executed';
}

function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return isAbsence(error);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
