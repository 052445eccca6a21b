import { Descriptor } from '@bulkhead/files';

/** A folder on the way to another. */
export interface Level {
  /** Absolute, without links. */
  readonly path: string;
  readonly folder: Descriptor;
}

/**
 * Opens a folder and all above it, the root of the system first. Disposing of the stack closes them.
 *
 * @param path absolute
 * @throws if one is no folder, or a link
 */
export function openLevels(path: string, stack: DisposableStack): readonly Level[] {
  let at: Level = { path: '/', folder: stack.use(Descriptor.ofTrustedFolder('/')) };
  const levels = [at];
  for (const name of namesOf(path)) {
    const folder = stack.use(Descriptor.ofEntry(at.folder, Buffer.from(name)));
    if (!folder.stat().isDirectory()) throw new TypeError('not a folder');
    at = { path: at.path === '/' ? `/${name}` : `${at.path}/${name}`, folder };
    levels.push(at);
  }
  return levels;
}

/** Components of a path, without those that stay where they are. */
export function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** True for the folder itself, too. @param path absolute, as `folder` */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
