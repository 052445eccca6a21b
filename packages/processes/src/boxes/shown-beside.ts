import { BulkheadError, type ShownFolder } from '@bulkhead/protocol';
import type { Neighbour } from '@bulkhead/sandbox';
import type { FoundOutside, MissingThings, ShellCommand } from '@bulkhead/tools';
import { type BesideGround, checkBeside, checkWritten } from '../beside/check-beside.ts';
import { findFolders, findWritten, folderNeeds } from '../beside/find-folders.ts';
import { closedPlaces } from '../paths/closed-places.ts';
import { isWithin } from '../paths/levels.ts';
import { findToolchains, needsOf } from '../toolchains/find-toolchains.ts';
import { type CheckedFolder, checkFolder, type PlaceMeanings } from '../toolchains/folder-check.ts';
import { outermost } from '../toolchains/folders-of-program.ts';
import { followPath } from '../toolchains/follow-path.ts';
import { programFolders } from '../toolchains/program-folders.ts';
import { toolchainEnvironment } from '../toolchains/toolchain-environment.ts';
import { type Beside, guardBeside } from './guarded-beside.ts';
import type { ProtectedNames } from './shell-box.ts';

export interface BesideParts {
  /** Bulkhead's own home. */
  readonly own: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly files: ProtectedNames;
  /** Why changes in a folder can't be held back on an overlay, a clause; undefined if they can. */
  problemOf(folder: string): Promise<string | undefined>;
}

/** Permissions of a person for one command. */
export type AllowedFolders = Pick<ShellCommand, 'toolchains' | 'folders'>;

/** Folders outside the working folder that a command's box shows. */
export interface OpenedBeside {
  readonly beside: readonly Beside[];
  readonly env: Readonly<Record<string, string>>;
  /** A clause for each folder that is not shown. */
  readonly remarks: readonly string[];
}

type Check = (path: string, ground: BesideGround, meanings: PlaceMeanings) => CheckedFolder | string;

/** Folders that one box shows; the launcher takes 16, and the repository around a folder is one. */
const MAX_SHOWN = 12;
const NONE: OpenedBeside = { beside: [], env: {}, remarks: [] };

/** Large, and needed only where something is missing or shown. */
const catalogue = (): Promise<PlaceMeanings> => import('@bulkhead/shield/analysis');

/** Folders outside the working folder, which commands see if the person allows it. */
export class ShownBeside {
  readonly #parts: BesideParts;

  constructor(parts: BesideParts) {
    this.#parts = parts;
  }

  /**
   * Looks for what a command did not find.
   *
   * @param allowed already, to this command
   * @param root shown around the working folder
   */
  async lookFor(
    { programs, places }: MissingThings,
    workingFolder: string,
    { toolchains, folders }: AllowedFolders,
    root?: string,
  ): Promise<FoundOutside> {
    const ground = this.#ground(workingFolder);
    if (ground === undefined) return { needs: [], refused: [] };
    const { files, environment } = this.#parts;
    const path = environment['PATH'] ?? '';
    const meanings = await catalogue();
    const { beside } = shownOf({ toolchains, folders }, ground, meanings, root);
    const visible = [...beside.map((one) => one.path), ...(root === undefined ? [] : [root])];
    const tools = findToolchains(programs, { ...ground, path }, meanings);
    const missing = tools.folders.filter((one) => visible.every((open) => !isWithin(one.path, open)));
    const fresh = withRoom(missing, beside.length);
    const own = beside.filter((one) => one.isOfPrograms !== true);
    const found = findFolders(places, ground, visible, meanings);
    const others = withRoom(found.folders, own.length);
    const changed = folders.flatMap(({ path: one, write }) => (write === true ? [one] : []));
    const wide = findWritten(places, ground, changed, root, meanings);
    const held = await Promise.all(wide.folders.map((one) => this.#parts.problemOf(one.path)));
    const problems = held.flatMap((why) => (why === undefined ? [] : [why]));
    const wideGuarded = await guardBeside(wide.folders, workingFolder, [], files);
    const programsGuarded = await guardBeside(fresh.folders.map(asPrograms), workingFolder, [], files);
    const guarded = await guardBeside(others.folders, workingFolder, [], files);
    const needs = [
      ...(programsGuarded.problems.length === 0 ? needsOf(fresh.folders) : []),
      ...(guarded.problems.length === 0 ? folderNeeds(others.folders) : []),
      ...(problems.length + wideGuarded.problems.length === 0 ? folderNeeds(wide.folders, true) : []),
    ];
    const refused = [
      ...[...tools.refused, ...fresh.refused, ...programsGuarded.problems],
      ...[...found.refused, ...others.refused, ...guarded.problems],
      ...[...wide.refused, ...problems, ...wideGuarded.problems],
    ];
    return { needs, refused };
  }

  /**
   * Checks allowed folders again: one that is another folder by now, or may no longer be shown, is
   * left out.
   *
   * @param root shown around the working folder
   */
  async open(allowed: AllowedFolders, workingFolder: string, root?: string): Promise<OpenedBeside> {
    const isNone = allowed.toolchains.length + allowed.folders.length === 0;
    const ground = isNone ? undefined : this.#ground(workingFolder);
    if (ground === undefined) return NONE;
    const meanings = await catalogue();
    const { beside, tools, remarks } = shownOf(allowed, ground, meanings, root);
    return { beside, env: this.#environment(tools, beside, ground.home), remarks };
  }

  /**
   * Checks a folder around the working folder that a command may change.
   *
   * @throws BulkheadError `blocked` if it is another folder by now, or may no longer be changed: what the
   *   command changes would be judged as changes of that folder
   */
  async checkWritten(folder: ShownFolder, workingFolder: string): Promise<void> {
    const ground = this.#ground(workingFolder);
    const now =
      ground === undefined
        ? 'it can not be checked without a home folder'
        : asAllowed(folder, ground, await catalogue(), checkWritten);
    const problem = typeof now === 'string' ? now : await this.#parts.problemOf(folder.path);
    if (problem === undefined) return;
    throw new BulkheadError('blocked', `the folder ${folder.path} can't be changed by commands: ${problem}`, {
      fix: 'Revoke its grant: `bulkhead grants list`.',
    });
  }

  #environment(tools: readonly Neighbour[], shown: readonly Neighbour[], home: string): OpenedBeside['env'] {
    const programs = programFolders(this.#parts.environment['PATH'] ?? '', home);
    const seen = tools.filter(({ path }) => shown.some((one) => isWithin(path, one.path)));
    return toolchainEnvironment(
      seen.map(({ path }) => path),
      programs,
      home,
    );
  }

  #ground(workingFolder: string): BesideGround | undefined {
    const userHome = this.#parts.environment['HOME'];
    const home = followPath(userHome ?? '');
    // A home that is a folder of the system is none of a person.
    if (home === undefined || !home.facts.isDirectory() || home.path === '/') return undefined;
    const closed = closedPlaces(this.#parts.own, userHome);
    return { home: home.path, own: closed.own, workingFolder, closed };
  }
}

/**
 * The allowed folders that a box shows: those of the person's work first, since the last ones are left out
 * where there are too many.
 */
function shownOf(
  allowed: AllowedFolders,
  ground: BesideGround,
  meanings: PlaceMeanings,
  root: string | undefined,
): Pick<OpenedBeside, 'beside' | 'remarks'> & { readonly tools: readonly Beside[] } {
  const remarks: string[] = [];
  const checked = (list: readonly ShownFolder[], check: Check, what: string) =>
    list.flatMap((one) => {
      if (root !== undefined && isWithin(one.path, root)) return [];
      const now = asAllowed(one, ground, meanings, check);
      if (typeof now !== 'string') return [now];
      // Nothing is to be said of a folder that was removed: its grant has no effect.
      if (followPath(one.path) !== undefined) remarks.push(`the ${what} ${one.path} is not shown: ${now}`);
      return [];
    });
  const tools = checked(allowed.toolchains, checkFolder, 'toolchain folder').map(asPrograms);
  // A person who allows a folder allows all of it: no file in it is excused as a part of a program.
  const folders: readonly Beside[] = checked(allowed.folders, checkBeside, 'folder');
  const isListed = ({ path }: Beside) => folders.some((one) => one.path === path);
  const all = [...folders, ...tools.filter((one) => !isListed(one))];
  const outer = new Set(outermost(all.map(({ path }) => path)));
  const beside = all.filter((one) => outer.has(one.path));
  const left = beside.slice(MAX_SHOWN).map(({ path }) => path);
  if (left.length > 0)
    remarks.push(`only ${MAX_SHOWN} allowed folders are shown, without ${left.join(', ')}`);
  return { beside: beside.slice(0, MAX_SHOWN), tools, remarks };
}

/** A permission for folders that would not be shown has no effect. @param shown number of those that are */
function withRoom(folders: readonly CheckedFolder[], shown: number) {
  if (shown + folders.length <= MAX_SHOWN) return { folders, refused: [] };
  const why = `commands here see ${shown} allowed folders, and no more than ${MAX_SHOWN}: revoke a grant`;
  return {
    folders: [],
    refused: folders.map(({ path }) => `the folder ${path} is not shown to commands: ${why}`),
  };
}

function asPrograms(folder: Neighbour): Beside {
  return { ...folder, isOfPrograms: true };
}

/** An allowed folder as it is now; or why it is not shown, a clause. */
function asAllowed(
  { path, identity }: ShownFolder,
  ground: BesideGround,
  meanings: PlaceMeanings,
  check: Check,
): CheckedFolder | string {
  const now = check(path, ground, meanings);
  if (typeof now === 'string') return `it ${now}`;
  return now.identity === identity ? now : 'it is another folder than the one that was allowed';
}
