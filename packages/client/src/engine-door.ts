import { statSync } from 'node:fs';
import { findRuntimeFolders } from '@bulkhead/home/folder/runtime-folder';
import type { HomeLayout } from '@bulkhead/protocol';

/** Where the engine of a home listens: outside the home if it can't write there, else in it. */
export function engineDoor(layout: HomeLayout): Pick<HomeLayout, 'socket' | 'token'> {
  // One in the home may be of an engine that ended before the disk failed.
  const outside = findRuntimeFolders(layout.root)
    .map((folder) => ({ socket: `${folder}/engine.sock`, token: `${folder}/token` }))
    .find(({ socket }) => statSync(socket, { throwIfNoEntry: false })?.isSocket() === true);
  return outside ?? layout;
}
