import { lstatSync, readdirSync } from 'node:fs';
import { GIT_SETTINGS } from './git-parts.ts';
import type { FolderFacts } from './judge-effects.ts';

/** The present working folder, without the pending changes of a command. */
export function folderFacts(workingFolder: string): FolderFacts {
  return {
    workingFolder,
    entries: () => readdirSync(workingFolder).length,
    isGitFolder: (folder) => isThere(workingFolder, folder, 'HEAD'),
    hasSettings: (folder) => GIT_SETTINGS.some((name) => isThere(workingFolder, folder, name)),
  };
}

/**
 * Only checks the name. If the check fails, the name counts as present: at worst, a person is asked
 * once too often.
 */
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
