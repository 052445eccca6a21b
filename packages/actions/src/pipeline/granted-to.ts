import type { NeedKind, ParsedCall, ShownFolder } from '@bulkhead/protocol';
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
  const shown = (of: NeedKind) => serving.filter(({ kind }) => kind === of).flatMap(shownFolders);
  return {
    granted: isTrial ? [] : [...new Set([...hosts, ...(repeat?.granted ?? [])])].toSorted(),
    secretFiles: isTrial ? [] : [...new Set([...files, ...(repeat?.secretFiles ?? [])])].toSorted(),
    toolchains: inOrder([...shown('toolchain'), ...(repeat?.toolchains ?? [])]),
    folders: inOrder(
      [...shown('folder'), ...(repeat?.folders ?? [])].map(background === true ? readOnly : same),
    ),
  };
}

const same = (folder: ShownFolder): ShownFolder => folder;

/** A command in the background changes its working folder only. */
const readOnly = ({ write: _, ...folder }: ShownFolder): ShownFolder => folder;

/** By path; of two with one path the later one, unless only the other may be changed. */
function inOrder(folders: readonly ShownFolder[]): readonly ShownFolder[] {
  const known = new Map<string, ShownFolder>();
  const isWritten = (folder: ShownFolder) => folder.write === true;
  for (const folder of [...folders.filter((one) => !isWritten(one)), ...folders.filter(isWritten)])
    known.set(folder.path, folder);
  return [...known.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
