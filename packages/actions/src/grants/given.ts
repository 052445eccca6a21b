import type { ShownFolder } from '@bulkhead/protocol';
import { type GrantAsked, shownFolders } from './grant.ts';

/** Permissions of persons for a command, besides what its call names. */
export interface Given {
  /** `host:port` of servers. */
  readonly granted?: readonly string[];
  /** Folders of programs that it may read. */
  readonly toolchains?: readonly ShownFolder[];
  /** Files with credentials that it may read: paths below the working folder. */
  readonly secretFiles?: readonly string[];
  /** Folders beside or around the working folder that it may read, or change as well. */
  readonly folders?: readonly ShownFolder[];
}

/** The permissions of one grant, or of the answer to one question. */
export function givenBy(asked: GrantAsked): Given {
  const { kind, targets } = asked;
  const shown = shownFolders(asked);
  if (kind === 'hosts') return { granted: targets };
  if (kind === 'secret-file') return { secretFiles: targets };
  return kind === 'toolchain' ? { toolchains: shown } : { folders: shown };
}

/** All of them, each list in order; of two folders with one path the later, unless only the other may be changed. */
export function joinGiven(...all: readonly Given[]): Given {
  const texts = (list: (given: Given) => readonly string[] | undefined) =>
    [...new Set(all.flatMap((given) => list(given) ?? []))].toSorted();
  const folders = (list: (given: Given) => readonly ShownFolder[] | undefined) =>
    byPath(all.flatMap((given) => list(given) ?? []));
  return someOf({
    granted: texts(({ granted }) => granted),
    toolchains: folders(({ toolchains }) => toolchains),
    secretFiles: texts(({ secretFiles }) => secretFiles),
    folders: folders((given) => given.folders),
  });
}

/** Without empty lists: a call that is given nothing has the form that it always had. */
export function someOf({ granted = [], toolchains = [], folders = [], secretFiles = [] }: Given): Given {
  return {
    ...(granted.length === 0 ? {} : { granted }),
    ...(toolchains.length === 0 ? {} : { toolchains }),
    ...(folders.length === 0 ? {} : { folders }),
    ...(secretFiles.length === 0 ? {} : { secretFiles }),
  };
}

function byPath(folders: readonly ShownFolder[]): readonly ShownFolder[] {
  const isWritten = ({ write }: ShownFolder) => write === true;
  const ordered = [...folders.filter((one) => !isWritten(one)), ...folders.filter(isWritten)];
  const known = new Map(ordered.map((folder) => [folder.path, folder]));
  return [...known.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
