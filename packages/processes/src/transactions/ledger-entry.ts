import { lstatSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ActionFate } from '@bulkhead/protocol';
import { type CommitMark, readCommitMark } from '@bulkhead/sandbox';

/** The scratch folders of what went on after a command: of its end, and of its last quiet moment. */
const LATER = ['held', 'quiet'] as const;

/** The remains of a settled command; `outcome` is of an earlier version. */
const SETTLED: readonly string[] = ['journal', 'outcome', ...LATER];

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
    if (unsettledLater(entry).length > 0) return 'unsettled';
    if (readdirSync(scratch).some((name) => !SETTLED.includes(name))) return 'unsettled';
  } catch (error) {
    return isAbsence(error) ? lookAtAbsence(entry) : 'unsettled';
  }
  const mark = readCommitMark(scratch);
  if (mark === 'none') return 'not_executed';
  return mark === 'committed' ? 'executed' : 'unsettled';
}

/**
 * The later changes of processes that outlive the command are transactions of their own, beside it:
 * one at their end, and one at a quiet moment.
 */
export type LaterPart = (typeof LATER)[number];

export function laterScratch({ scratch }: Pick<Entry, 'scratch'>, part: LaterPart): string {
  return `${scratch}/${part}`;
}

/** Without a journal nothing of it is in place: what else is there is of no use any more. */
export function unsettledLater(entry: Entry): readonly LaterPart[] {
  return LATER.filter((part) => ['planned', 'unreadable'].includes(laterMark(entry, part)));
}

/** Those that hold more than the record of their outcome. */
export function laterRemains(entry: Entry): readonly LaterPart[] {
  return LATER.filter((part) => {
    try {
      return readdirSync(laterScratch(entry, part)).some((name) => name !== 'journal');
    } catch {
      return false;
    }
  });
}

export function laterMark(entry: Entry, part: LaterPart): CommitMark {
  return readCommitMark(laterScratch(entry, part));
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
