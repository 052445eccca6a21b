import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError, type Clock, systemTimers, type Timers } from '@bulkhead/protocol';
import type { AuditInput } from './audit-entry.ts';
import { openAuditLog } from './audit-log.ts';

/** An empty folder that is removed with its contents on dispose. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'bulkhead-audit-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const fixedClock: Clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };

/** Timers that never fire: signing happens only by number of entries, or when the log is closed. */
export const noTimers: Timers = { after: () => ({ [Symbol.dispose]: () => {} }) };

export const withClock = { clock: fixedClock, timers: systemTimers };

export function proposed(action: string): AuditInput {
  return {
    step: 'PROPOSED',
    action,
    hash: 'ab',
    session: 's',
    tool: 'read',
    details: { path: `/w/${action}` },
  };
}

/** Writes a log of `count` entries with actions a1, a2, … and closes it. */
export async function writeLog(folder: string, count: number, rotateBytes?: number): Promise<void> {
  const log = await openAuditLog(folder, { ...withClock, ...(rotateBytes && { rotateBytes }) });
  for (let n = 1; n <= count; n++) await log.append([proposed(`a${n}`)]);
  await log.close();
}

/** Returns the BulkheadError with which `action` rejects. */
export async function rejection(action: Promise<unknown>): Promise<BulkheadError> {
  try {
    await action;
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Changes the log to the format of a version without checkpoints. */
export function forgetCheckpoints(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/checkpoint/.test(name)) rmSync(join(folder, name));
  }
}
