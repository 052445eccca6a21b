import { statSync } from 'node:fs';
import type { HomeLayout } from '@bulkhead/protocol';
import { findRuntimeFolder } from '../home/runtime-folder.ts';

/** Where the engine of a home listens: outside the home if it can't write there, else in it. */
export function engineDoor(layout: HomeLayout): Pick<HomeLayout, 'socket' | 'token'> {
  const folder = findRuntimeFolder(layout.root);
  const socket = `${folder}/engine.sock`;
  // One in the home may be of an engine that ended before the disk failed.
  if (folder === undefined || statSync(socket, { throwIfNoEntry: false }) === undefined) return layout;
  return { socket, token: `${folder}/token` };
}
