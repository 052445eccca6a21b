import { Descriptor, listEntries, lookAtEntry } from '@bulkhead/files';
import { isWithin } from '../paths/levels.ts';
import { type FollowedPath, followPath } from './follow-path.ts';

/** The places that a program has to see to run. */
export interface ProgramPlaces {
  /** Folders: absolute, without links, none in another. */
  readonly folders: readonly string[];
  /** Files that are run: absolute, without links. */
  readonly files: readonly FollowedPath[];
  /** Why it can't be made to run; absent if it can. */
  readonly problem?: string;
}

interface Ground {
  readonly home: string;
  /** Where programs named without a path are looked up. */
  readonly programFolders: readonly string[];
}

/** Shown to every command. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix/store', '/gnu/store'];
const SYSTEM_PROGRAMS = ['/usr/local/bin', '/usr/bin', '/bin'];
/** One of these lies beside the `bin` of an installation. */
const INSTALLED = ['lib', 'lib64', 'libexec', 'pyvenv.cfg', 'jmods'];
/** The folders that installations have. One with any other, such as `var` or a person's own, is not shown whole. */
const PARTS = new Set(
  'bin sbin lib lib32 lib64 libexec include share etc man doc docs jmods legal conf boot ssl licenses'.split(
    ' ',
  ),
);
/** Those that an installation of Go has as well. */
const PARTS_OF_GO = new Set('api codereview misc pkg src test'.split(' '));
/** Folders that hold programs, by their names. */
const OF_PROGRAMS = ['bin', 'sbin', 'libexec', 'shims'];
/** Folders of a home that hold those of many programs. */
const SHELVES = [
  '',
  '.local',
  '.local/share',
  '.local/lib',
  '.local/state',
  '.config',
  '.cache',
  '.var',
  'snap',
];
/** Programs that need a folder which no link or interpreter names. */
const COMPANIONS: Readonly<Record<string, string>> = { '.cargo/bin': '.rustup', '.volta/bin': '.volta' };
/** Interpreters of interpreters, and links between them. */
const MAX_FILES = 8;
const FIRST_LINE = 512;

/** True for a folder of a home that is never shown as a whole: too much lies in it. */
export function isShelf(folder: string, home: string): boolean {
  return SHELVES.some((shelf) => folder === (shelf === '' ? home : `${home}/${shelf}`));
}

/**
 * Finds the folders that a program needs: its own installation, those of the links that lead to it,
 * and the same for the interpreter that its first line names.
 *
 * @param path in a folder of programs
 */
export function foldersOfProgram(path: string, ground: Ground): ProgramPlaces {
  const folders = new Set<string>();
  const files: FollowedPath[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const followed = followPath(next);
    if (followed === undefined || !isProgram(followed))
      return { folders: [], files, problem: `${next} leads to no program` };
    if (files.push(followed) > MAX_FILES)
      return { folders: [], files, problem: `${path} needs too many other programs` };
    const places = [...followed.links, followed.path].filter((place) => !isSystem(place));
    const stranger = places.find((place) => !isWithin(place, ground.home));
    if (stranger !== undefined)
      return { folders: [], files, problem: `${path} points outside the home folder, to ${stranger}` };
    for (const place of places) for (const folder of foldersFor(place, ground.home)) folders.add(folder);
    next = isSystem(followed.path) ? undefined : interpreterOf(followed.path, path, ground);
  }
  return { folders: outermost([...folders]), files };
}

/**
 * False for a folder of the person's own work that merely holds a file to which a program leads: all of it
 * would be shown. Programs keep theirs in folders with a dot, or in an installation.
 */
export function isOfPrograms(folder: string, { home, programFolders }: Ground): boolean {
  if (folder.startsWith(`${home}/.`) || isInstallation(folder)) return true;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  return OF_PROGRAMS.includes(name) || programFolders.some((one) => followPath(one)?.path === folder);
}

/** True for a file that may be run. */
export function isProgram({ facts }: FollowedPath): boolean {
  return facts.isFile() && (facts.mode & 0o111n) !== 0n;
}

/** Without those that lie in another. */
export function outermost(folders: readonly string[]): readonly string[] {
  return folders.filter((one) => !folders.some((other) => other !== one && isWithin(one, other))).toSorted();
}

function foldersFor(place: string, home: string): readonly string[] {
  const folder = above(place);
  const companion = COMPANIONS[folder.slice(home.length + 1)];
  const more = companion === undefined ? undefined : followPath(`${home}/${companion}`)?.path;
  return [installationOf(folder, home), ...(more === undefined ? [] : [more])];
}

function installationOf(folder: string, home: string): string {
  const whole = above(folder);
  if (isShelf(whole, home) || !isWithin(whole, home) || isWithin(whole, `${home}/.config`)) return folder;
  const name = folder.slice(whole.length + 1);
  if (name === 'shims') return whole;
  return name === 'bin' && isInstallation(whole) ? whole : folder;
}

function isInstallation(path: string): boolean {
  try {
    using folder = Descriptor.ofTrustedFolder(path);
    const has = (name: string) => lookAtEntry(folder, Buffer.from(name)) !== undefined;
    const isGo = has('pkg') && has('src') && has('VERSION');
    if (!isGo && !INSTALLED.some(has)) return false;
    const isPart = (name: string) => PARTS.has(name) || (isGo && PARTS_OF_GO.has(name));
    return listEntries(folder).every((entry) => entry.isFile() || isPart(entry.name.toString('utf8')));
  } catch {
    return false;
  }
}

/** The program that a file's first line names; undefined for none, or one that every command has. */
function interpreterOf(file: string, beside: string, { programFolders }: Ground): string | undefined {
  const [program, ...words] = firstLineOf(file);
  if (program === undefined || !program.startsWith('/')) return undefined;
  if (!/^(?:\/usr)?\/bin\/env$/.test(program)) return isSystem(program) ? undefined : program;
  const name = words.find((word) => !word.startsWith('-') && !word.includes('='));
  if (name === undefined || name.includes('/')) return undefined;
  const places = [above(beside), ...SYSTEM_PROGRAMS, ...programFolders].map((folder) => `${folder}/${name}`);
  const found = places.find((place) => followPath(place)?.facts.isFile() === true);
  return found === undefined || isSystem(found) ? undefined : found;
}

/** Words of it; none for a program that can be run and not read. */
function firstLineOf(path: string): readonly string[] {
  try {
    return readFirstLine(path);
  } catch {
    return [];
  }
}

function readFirstLine(path: string): readonly string[] {
  using stack = new DisposableStack();
  const folder = stack.use(Descriptor.ofTrustedFolder(above(path)));
  const entry = stack.use(Descriptor.ofEntry(folder, Buffer.from(path.slice(above(path).length + 1))));
  if (!entry.stat().isFile()) return [];
  const content = stack.use(entry.openContent());
  const line = content.readPart(FIRST_LINE).toString('utf8').split('\n', 1)[0] ?? '';
  return line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : [];
}

function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isWithin(path, folder));
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}
