import type { EngineClient } from '@bulkhead/client';
import { matchId } from '@bulkhead/protocol';
import type { SnapshotSummary } from '@bulkhead/protocol/client';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output/output.ts';

/** What one of the verbs of `bulkhead chronicle` works with. */
export interface ChronicleCall {
  readonly client: EngineClient;
  /** As given; empty for a verb that takes none. */
  readonly id: string;
  readonly args: ParsedArguments;
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * @returns the exit code
 * @throws BulkheadError told to the person in one line
 */
export type ChronicleVerb = (call: ChronicleCall) => Promise<number>;

/**
 * The whole id of an action for one that may be unfinished; an unknown one as it is: the engine has the last word on it.
 *
 * @throws BulkheadError `usage` if several begin so
 */
export async function wholeActionId(client: EngineClient, given: string): Promise<string> {
  return wholeId((await client.call('listSnapshots', {})).snapshots, given);
}

/** As `wholeActionId`, of snapshots that are at hand. */
export function wholeId(snapshots: readonly SnapshotSummary[], given: string): string {
  const ids = snapshots.map(({ id }) => id);
  return matchId(given, ids, 'actions') ?? given;
}
