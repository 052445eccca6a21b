/** The smallest permission that would have let a command go on. */
export interface Need {
  readonly kind: NeedKind;
  /**
   * In the one spelling that is shown, granted and compared; for `hosts`, `host:port`, for folders, an
   * absolute path without links, for `secret-file`, a path below the working folder.
   */
  readonly target: string;
  /** Of the folder that `target` names: another one at that path is not meant. */
  readonly identity?: string | undefined;
  /** Of a `folder` around the working folder: true if it is to be changed, too. */
  readonly write?: true | undefined;
}

/**
 * - `hosts`: the way out to one port of one host
 * - `toolchain`: a folder of programs in the person's home, read-only
 * - `folder`: a folder beside or around the working folder, to read, or one around it to change as well
 * - `secret-file`: a file of the working folder that commands see empty otherwise, read-only
 */
export type NeedKind = 'hosts' | 'toolchain' | 'folder' | 'secret-file';

/** A folder outside the working folder that a person allows commands to read, or to change as well. */
export interface ShownFolder {
  /** Absolute, without links. */
  readonly path: string;
  /** Of the folder itself: another one at that path is not shown. */
  readonly identity: string;
  /** True if commands may change it: it lies around the working folder. */
  readonly write?: true;
}

/**
 * The folder whose changes are the one transaction of a command: the working folder, or the outermost one
 * around it that a person allows the command to change.
 */
export function transactionFolder({
  workingFolder,
  folders = [],
}: {
  readonly workingFolder: string;
  readonly folders?: readonly ShownFolder[] | undefined;
}): string {
  const around = folders.filter(({ path, write }) => write === true && workingFolder.startsWith(`${path}/`));
  return around.reduce((outer, { path }) => (path.length < outer.length ? path : outer), workingFolder);
}

/** A command's traffic through its own way out. */
export interface NetworkUse {
  /** `host:port` of each server that it reached. */
  readonly reached: readonly string[];
  /** `host:port` of each server that it asked for and may not reach. */
  readonly needed: readonly string[];
  /** Refusals that no permission for a host would change, in words. */
  readonly refused: readonly string[];
}
