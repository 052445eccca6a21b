import { lstatSync, readdirSync } from 'node:fs';
import { GIT_SETTINGS } from './git-parts.ts';
import type { FolderFacts } from './judge-effects.ts';

/** The working folder as it is while a command's changes wait: nothing of them is in it yet. */
export function folderFacts(workingFolder: string): FolderFacts {
  return {
    workingFolder,
    entries: () => readdirSync(workingFolder).length,
    isGitFolder: (folder) => isThere(workingFolder, folder, 'HEAD'),
    hasSettings: (folder) => GIT_SETTINGS.some((name) => isThere(workingFolder, folder, name)),
  };
}

/** Only a name is asked for. What can't be told is there: a person is then asked once too often. */
function isThere(workingFolder: string, folder: Uint8Array, name: string): boolean {
  const path = Buffer.concat([Buffer.from(`${workingFolder}/`), folder, Buffer.from(`/${name}`)]);
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
