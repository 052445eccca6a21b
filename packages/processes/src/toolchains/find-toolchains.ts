import { Descriptor, lookAtEntry } from '@bulkhead/files';
import type { Need } from '@bulkhead/protocol';
import {
  type CheckedFolder,
  type CheckGround,
  checkFolder,
  isSafe,
  type PlaceMeanings,
} from './folder-check.ts';
import { foldersOfProgram, isOfPrograms, isProgram, outermost } from './folders-of-program.ts';
import { followPath } from './follow-path.ts';
import { programFolders } from './program-folders.ts';

/** Where programs that a command did not find lie outside its box. */
export interface FoundToolchains {
  /** Of the folders that would let it find them. */
  readonly folders: readonly CheckedFolder[];
  /** Why other programs can't be shown, a clause each. */
  readonly refused: readonly string[];
}

export interface ToolchainGround extends CheckGround {
  /** The person's PATH. */
  readonly path: string;
}

/** Folders of one question. */
const MAX_FOLDERS = 6;

/**
 * Finds programs by name in the folders of the person's home that a shell of theirs would look in.
 * Names come from output of commands, so that a command chooses what is asked for, and only that.
 */
export function findToolchains(
  programs: readonly string[],
  ground: ToolchainGround,
  meanings: PlaceMeanings,
): FoundToolchains {
  const places = programFolders(ground.path, ground.home);
  const folders = new Map<string, CheckedFolder>();
  const refused: string[] = [];
  for (const program of programs.filter((name) => !name.includes('/'))) {
    const folder = places.find((one) => hasName(one, program) && leadsToProgram(`${one}/${program}`));
    if (folder === undefined) continue;
    const file = `${folder}/${program}`;
    const found = oneProgram(file, places, ground, meanings);
    if (typeof found === 'string') refused.push(`${file} is not shown to commands: ${found}`);
    else for (const one of found) folders.set(one.path, one);
  }
  const kept = new Set(outermost([...folders.keys()]));
  const all = [...folders.values()].filter(({ path }) => kept.has(path));
  if (all.length <= MAX_FOLDERS) return { folders: all, refused };
  return { folders: [], refused: [...refused, `the programs lie in more than ${MAX_FOLDERS} folders`] };
}

/** The needs of a question. */
export function needsOf(folders: readonly CheckedFolder[]): readonly Need[] {
  return folders.map(({ path, identity }) => ({ kind: 'toolchain', target: path, identity }));
}

/** @returns the folders that a program needs, or why it can't be shown: the rest of a sentence */
export function oneProgram(
  file: string,
  places: readonly string[],
  ground: ToolchainGround,
  meanings: PlaceMeanings,
): readonly CheckedFolder[] | string {
  const { home } = ground;
  const programs = { home, programFolders: places };
  const { folders, files, problem } = foldersOfProgram(file, programs);
  if (problem !== undefined) return problem;
  const owners = [0n, BigInt(process.geteuid?.() ?? -1), followPath(home)?.facts.uid ?? 0n];
  const unsafe = files.find(({ facts }) => !isSafe(facts, owners));
  if (unsafe !== undefined) return `${unsafe.path} can be changed by other users`;
  const checked = folders.map((folder) => ({ folder, result: checkFolder(folder, ground, meanings) }));
  const closed = checked.find(({ result }) => typeof result === 'string');
  if (closed !== undefined) return `${closed.folder} ${String(closed.result)}`;
  const stray = folders.find((folder) => !isOfPrograms(folder, programs));
  if (stray !== undefined) return `it leads into ${stray}, which is no folder of programs`;
  return checked.flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
}

/** Most folders have not: that is found out without following each path from the top. @param folder without links */
function hasName(folder: string, name: string): boolean {
  try {
    using opened = Descriptor.ofTrustedFolder(folder);
    return lookAtEntry(opened, Buffer.from(name)) !== undefined;
  } catch {
    return false;
  }
}

function leadsToProgram(path: string): boolean {
  const followed = followPath(path);
  return followed !== undefined && isProgram(followed);
}
