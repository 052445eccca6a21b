export { Descriptor, entryPath } from './descriptor.ts';
export { blocked, failed, fileError, systemCode } from './file-error.ts';
export { type KindLetter, kindLetter, kindName } from './file-kind.ts';
export {
  flushEntries,
  linkEntry,
  listEntries,
  listNames,
  lookAtEntry,
  makeFolderEntry,
  makeLinkEntry,
  moveEntryOver,
  readLinkEntry,
  removeEntry,
  removeFolderEntry,
  requireChangeable,
  setEntryOwner,
  setEntryTime,
} from './folder-entries.ts';
export { giveFreeName } from './give-free-name.ts';
export { isSameObject, lastingId } from './lasting-id.ts';
export { objectId } from './object-id.ts';
export { openFolderBelow } from './open-below.ts';
export { below, type PathComponents, pathFromArgument, pathFromBytes } from './path-components.ts';
export { pathFromText, pathText } from './path-text.ts';
export { flushFolder, flushFolderSync, flushOpen, putFile, putFileSync } from './put-file.ts';
export { type LinkedObject, RecentWalk } from './recent-walk.ts';
export { removeIfThere, replaceFile } from './replace-file.ts';
export { type ObjectVersion, sameVersion } from './same-version.ts';
export { nameFromShown, shownName } from './shown-name.ts';
