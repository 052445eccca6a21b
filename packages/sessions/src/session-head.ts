import { BulkheadError } from '@bulkhead/protocol';
import type { AppendPlan } from './plan-append.ts';
import type { AppendOptions, SessionInfo } from './session-store.ts';

/** @throws BulkheadError `internal` for names that are not Unicode text or a time that is not in milliseconds */
export function newSession(id: string, workingFolder: string, time: number): SessionInfo {
  if (!id.isWellFormed() || !workingFolder.isWellFormed() || !Number.isSafeInteger(time)) {
    throw new BulkheadError(
      'internal',
      'a session needs an id and a folder of Unicode text and a time in milliseconds',
    );
  }
  return { id, createdAt: time, updatedAt: time, workingFolder, title: '', leaf: null, messages: 0 };
}

/** A session after an append. */
export function headAfter(before: SessionInfo, plan: AppendPlan, options: AppendOptions): SessionInfo {
  return {
    ...before,
    leaf: options.leaf === undefined ? before.leaf : options.leaf,
    title: options.title?.toWellFormed() ?? before.title,
    messages: before.messages + plan.messages,
    updatedAt: plan.rows.reduce((latest, row) => Math.max(latest, row.time), before.updatedAt),
  };
}
