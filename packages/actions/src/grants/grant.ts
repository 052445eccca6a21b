import {
  CLIENT_CHANNELS,
  type NeedKind,
  type Origin,
  type ShownFolder,
  UNNAMED_CLIENT,
} from '@bulkhead/protocol';

/**
 * How long a grant serves, and where: `session` ends when its session is deleted, `folder` when it is
 * revoked, and so does `home`, which is for commands in every folder.
 */
export type GrantScope = 'session' | 'folder' | 'home';

/** A permission that a person gave for later commands of one folder. */
export interface Grant extends GrantAsked {
  readonly id: string;
  readonly scope: GrantScope;
  /** The session of scope `session`; of `folder`, the one that asked; empty for `home`. */
  readonly session: string;
  /** Empty for scope `home`. */
  readonly folder: string;
  /** Identity of the folder: another one at its path has no grants. Empty for scope `home`. */
  readonly identity: string;
  /** Whose actions it serves. */
  readonly holder: Holder;
  /** Who gave it, as `channel/id`. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The content of a question for a grant, whatever its scope. */
export interface GrantAsked {
  readonly kind: NeedKind;
  /** In order, without duplicates. */
  readonly targets: readonly string[];
  /** Of folders: the identity of each target. */
  readonly identities?: readonly string[];
  /** Of folders around the working folder: true if they may be changed. */
  readonly write?: true;
  /** Program and subcommand of the commands that it serves, as `npm install`. */
  readonly pattern?: string;
  /** The text of the one command that it serves, if it has no pattern; a folder serves every command. */
  readonly command?: string;
}

/** The kinds that show a folder. They serve every command of the working folder: what one starts sees it too. */
const OF_FOLDERS: readonly NeedKind[] = ['toolchain', 'folder'];

export function isOfFolders({ kind }: Pick<GrantAsked, 'kind'>): boolean {
  return OF_FOLDERS.includes(kind);
}

/** The folders that a grant shows. A target without an identity shows none. */
export function shownFolders({
  kind,
  targets,
  identities = [],
  write,
}: Pick<GrantAsked, 'kind' | 'targets' | 'identities' | 'write'>): readonly ShownFolder[] {
  if (!isOfFolders({ kind })) return [];
  return targets.flatMap((path, at) => {
    const identity = identities[at];
    return identity === undefined ? [] : [{ path, identity, ...(write === true ? { write } : {}) }];
  });
}

/** The sender of the message whose run acts: an answer to one is none to another. */
export interface Holder {
  readonly sender: string;
  /** `client` for every client that Bulkhead brings. */
  readonly channel: string;
  readonly profile: string;
}

export function holderOf(origin: Origin | undefined): Holder {
  const { sender, channel, profile } = origin ?? { sender: { id: '' }, channel: '', profile: '' };
  return { sender: sender.id, channel: CLIENT_CHANNELS.has(channel) ? UNNAMED_CLIENT : channel, profile };
}
