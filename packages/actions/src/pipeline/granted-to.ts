import type { ParsedCall, ShownFolder } from '@bulkhead/protocol';
import { type Given, givenBy, joinGiven } from '../grants/given.ts';
import type { GrantStage } from '../grants/grant-service.ts';
import type { Repeat } from './action-context.ts';
import type { Proposal } from './canonical-action.ts';

/**
 * The permissions of people for a command besides what its call names: by a grant, or for this one
 * repetition.
 *
 * @param isTrial true for a dry run: it reaches no server by a grant, and reads no secret file
 * @throws BulkheadError `store_corrupt`
 */
export function grantedTo(
  grants: GrantStage | undefined,
  { sessionId, origin, workingFolder }: Pick<Proposal, 'sessionId' | 'origin' | 'workingFolder'>,
  { command, background }: Pick<ParsedCall, 'command' | 'background'>,
  repeat: Repeat | undefined,
  isTrial = false,
): Given {
  if (grants === undefined || command === undefined) return {};
  const metadata = { workingFolder, command, ...(background === undefined ? {} : { background }) };
  const about = { sessionId, metadata, ...(origin === undefined ? {} : { origin }) };
  const given = joinGiven(...grants.serving(about).map(givenBy), repeat?.given ?? {});
  const { folders = [] } = given;
  return {
    ...given,
    folders: background === true ? folders.map(readOnly) : folders,
    ...(isTrial ? { granted: [], secretFiles: [] } : {}),
  };
}

/** A command in the background changes its working folder only. */
const readOnly = ({ write: _, ...folder }: ShownFolder): ShownFolder => folder;
