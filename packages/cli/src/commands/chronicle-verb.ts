import type { EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Output } from '../output/output.ts';

/** Characters of an id from which on it may be left unfinished. */
const MIN_PREFIX = 6;

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

export function chronicleUsage(message: string, fix = 'See `bulkhead chronicle --help`.'): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}

/**
 * The whole id of an action for one that may be unfinished; an unknown one as it is: the engine has the last word on it.
 *
 * @throws BulkheadError `usage` if several begin so
 */
export async function wholeActionId(client: EngineClient, given: string): Promise<string> {
  if (given.length < MIN_PREFIX) return given;
  const { snapshots } = await client.listSnapshots(0);
  const ids = snapshots.map(({ id }) => id).filter((id) => id.startsWith(given));
  if (ids.length <= 1 || ids.includes(given)) return ids.includes(given) ? given : (ids[0] ?? given);
  throw chronicleUsage(`${ids.length} actions begin with ${given}`, 'Give more of the id.');
}
