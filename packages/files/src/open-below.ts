import { Descriptor } from './descriptor.ts';
import { systemCode } from './file-error.ts';

/**
 * Opens a folder some way below another one, one component at a time. No link is followed, whatever it leads to: the
 * names are those of the folders themselves.
 *
 * @param root stays the caller's; with no names the result is one more descriptor of it
 * @returns undefined if a part of the way is missing or is no folder
 * @throws the system's error, with `code`; RangeError for what is not one component
 */
export function openFolderBelow(root: Descriptor, names: readonly Buffer[]): Descriptor | undefined {
  let folder = Descriptor.ofTrustedFolder(root.path);
  for (const name of names) {
    using above = folder;
    const next = openFolderEntry(above, name);
    if (next === undefined) return undefined;
    folder = next;
  }
  return folder;
}

function openFolderEntry(folder: Descriptor, name: Buffer): Descriptor | undefined {
  using guard = new DisposableStack();
  try {
    const entry = guard.use(Descriptor.ofEntry(folder, name));
    if (!entry.stat().isDirectory()) return undefined;
    guard.move();
    return entry;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
