import type { ParsedCall } from '@bulkhead/protocol';
import type { GrantStage } from '../grants/grant-service.ts';
import type { Repeat } from './action-context.ts';
import type { Proposal } from './canonical-action.ts';

/**
 * The servers that people have allowed a command to reach, in order: by a grant, or for this one
 * repetition.
 *
 * @throws BulkheadError `store_corrupt`
 */
export function grantedTo(
  grants: GrantStage | undefined,
  { sessionId, origin, workingFolder }: Pick<Proposal, 'sessionId' | 'origin' | 'workingFolder'>,
  { command, background }: Pick<ParsedCall, 'command' | 'background'>,
  repeat: Repeat | undefined,
): readonly string[] {
  if (grants === undefined || command === undefined) return [];
  const metadata = { workingFolder, command, ...(background === undefined ? {} : { background }) };
  const about = { sessionId, metadata, ...(origin === undefined ? {} : { origin }) };
  const served = grants.serving(about).flatMap(({ targets }) => targets);
  return [...new Set([...served, ...(repeat?.granted ?? [])])].toSorted();
}
