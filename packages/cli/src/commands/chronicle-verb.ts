import type { EngineClient } from '@bulkhead/client';
import { matchId } from '@bulkhead/protocol';
import type { SnapshotSummary } from '@bulkhead/protocol/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output/output.ts';

/** The context of a verb of `bulkhead chronicle`. */
export interface ChronicleCall {
  readonly client: EngineClient;
  /** As given; empty for a verb without arguments. */
  readonly id: string;
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * @returns the exit code
 * @throws BulkheadError shown to the person in one line
 */
export type ChronicleVerb = (call: ChronicleCall) => Promise<number>;

/**
 * Completes the id of an action; an unknown one is kept, because the engine decides.
 *
 * @throws BulkheadError `usage` if several ids match
 */
export async function wholeActionId(client: EngineClient, given: string): Promise<string> {
  return wholeId((await client.call('listSnapshots', {})).snapshots, given);
}

/** As `wholeActionId`, for snapshots that are already loaded. */
export function wholeId(snapshots: readonly SnapshotSummary[], given: string): string {
  const ids = snapshots.map(({ id }) => id);
  return matchId(given, ids, 'actions') ?? given;
}
