import type { ParsedCall, ShownFolder } from '@bulkhead/protocol';
import { shownFolders } from '../grants/grant.ts';
import type { GrantStage } from '../grants/grant-service.ts';
import type { Repeat } from './action-context.ts';
import type { Given, Proposal } from './canonical-action.ts';

/**
 * The permissions of people for a command besides what its call names, in order: by a grant, or for
 * this one repetition.
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
  const serving = grants.serving(about);
  const hosts = serving.filter(({ kind }) => kind === 'hosts').flatMap(({ targets }) => targets);
  const files = serving.filter(({ kind }) => kind === 'secret-file').flatMap(({ targets }) => targets);
  const shown = new Map<string, ShownFolder>();
  for (const folder of [...serving.flatMap(shownFolders), ...(repeat?.toolchains ?? [])])
    shown.set(folder.path, folder);
  return {
    granted: isTrial ? [] : [...new Set([...hosts, ...(repeat?.granted ?? [])])].toSorted(),
    secretFiles: isTrial ? [] : [...new Set([...files, ...(repeat?.secretFiles ?? [])])].toSorted(),
    toolchains: [...shown.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}
