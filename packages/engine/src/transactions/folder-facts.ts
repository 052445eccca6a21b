import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderFacts } from './judge-effects.ts';

/** The working folder as it is while a command's changes wait: nothing of them is in it yet. */
export function folderFacts(workingFolder: string): FolderFacts {
  return {
    workingFolder,
    entries: () => readdirSync(workingFolder).length,
    // Only a name is asked for; what a wrong answer could do is to ask a person once too often.
    isGitFolder: (folder) =>
      lstatSync(join(workingFolder, ...folder, 'HEAD'), { throwIfNoEntry: false }) !== undefined,
  };
}
