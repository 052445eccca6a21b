import { statSync } from 'node:fs';
import { findRuntimeFolders } from '@bulkhead/home/folder/runtime-folder';
import type { HomeLayout } from '@bulkhead/protocol';

/** The socket of a home's engine: outside the home if it is read-only, else in it. */
export function engineDoor(layout: HomeLayout): Pick<HomeLayout, 'socket' | 'token'> {
  // A socket in the home may belong to an engine that ended before the disk failed.
  const outside = findRuntimeFolders(layout.root)
    .map((folder) => ({ socket: `${folder}/engine.sock`, token: `${folder}/token` }))
    .find(({ socket }) => statSync(socket, { throwIfNoEntry: false })?.isSocket() === true);
  return outside ?? layout;
}
