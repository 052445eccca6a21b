import { Descriptor, listNames } from '@bulkhead/files';
import { oneProgram, type ToolchainGround } from './find-toolchains.ts';
import { type CheckedFolder, checkFolder, type PlaceMeanings } from './folder-check.ts';
import { isProgram, outermost } from './folders-of-program.ts';
import { followPath } from './follow-path.ts';
import { programFolders } from './program-folders.ts';

/** A folder of programs in the person's home, and what commands have to read to run them. */
export interface OfferedToolchain {
  /** The folder of programs: absolute, without links. */
  readonly place: string;
  /** Names of the programs that could be run, sorted. */
  readonly programs: readonly string[];
  readonly folders: readonly CheckedFolder[];
  /** Why other programs there can't be shown, a clause each. */
  readonly refused: readonly string[];
}

/** Programs of one folder that are looked at. */
const MAX_PROGRAMS = 500;
/** From this many on, installations that lie side by side are shown with the folder that holds them. */
const MANY = 4;
/** Below a home: hold installed tools and nothing else. */
const ONLY_TOOLS = [
  '.local/share/uv/tools',
  '.local/share/uv/python',
  '.local/share/pipx/venvs',
  '.local/pipx/venvs',
];
/** Clauses of one offer. */
const MAX_REFUSED = 5;

/** Looks through all folders of programs that a shell of the person would, for a choice before any command. */
export function offerToolchains(
  ground: ToolchainGround,
  meanings: PlaceMeanings,
): readonly OfferedToolchain[] {
  const places = programFolders(ground.path, ground.home);
  return places.map((place) => offerOf(place, places, ground, meanings));
}

function offerOf(
  place: string,
  places: readonly string[],
  ground: ToolchainGround,
  meanings: PlaceMeanings,
): OfferedToolchain {
  const folders = new Map<string, CheckedFolder>();
  const programs: string[] = [];
  const refused: string[] = [];
  for (const name of programsIn(place)) {
    const found = oneProgram(`${place}/${name}`, places, ground, meanings);
    if (typeof found === 'string') refused.push(`${name}: ${found}`);
    else programs.push(name);
    if (typeof found !== 'string') for (const one of found) folders.set(one.path, one);
  }
  const merged = sideBySide([...folders.values()], ground, meanings);
  const kept = new Set(outermost(merged.map(({ path }) => path)));
  return {
    place,
    programs,
    folders: merged.filter(({ path }) => kept.has(path)),
    refused: refused.slice(0, MAX_REFUSED),
  };
}

function programsIn(place: string): readonly string[] {
  try {
    using folder = Descriptor.ofTrustedFolder(place);
    const names = listNames(folder).map((name) => name.toString('utf8'));
    const isOne = (name: string) => {
      const followed = followPath(`${place}/${name}`);
      return followed !== undefined && isProgram(followed);
    };
    return names.slice(0, MAX_PROGRAMS).filter(isOne).toSorted();
  } catch {
    return [];
  }
}

/** A box shows few folders: of the tools that uv or pipx keep beside each other, it shows the one above. */
function sideBySide(
  folders: readonly CheckedFolder[],
  ground: ToolchainGround,
  meanings: PlaceMeanings,
): readonly CheckedFolder[] {
  const above = (path: string) => path.slice(0, path.lastIndexOf('/'));
  const parents = [...new Set(folders.map(({ path }) => above(path)))];
  return parents.flatMap((parent) => {
    const inside = folders.filter(({ path }) => above(path) === parent);
    const isOne = inside.length >= MANY && ONLY_TOOLS.some((place) => parent === `${ground.home}/${place}`);
    const whole = isOne ? checkFolder(parent, ground, meanings) : '';
    return typeof whole === 'string' ? inside : [whole];
  });
}
