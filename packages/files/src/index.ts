export { Descriptor, entryPath } from './descriptor.ts';
export { blocked, failed, fileError, systemCode } from './file-error.ts';
export { type KindLetter, kindLetter, kindName } from './file-kind.ts';
export {
  linkEntry,
  listEntries,
  listNames,
  lookAtEntry,
  makeFolderEntry,
  moveEntryOver,
  readLinkEntry,
  removeEntry,
  requireChangeable,
} from './folder-entries.ts';
export { objectId } from './object-id.ts';
export { below, type PathComponents, pathFromArgument, pathFromBytes } from './path-components.ts';
export { nameFromShown, shownName } from './shown-name.ts';
