import type { ShownFolder } from '@bulkhead/protocol';
import type { Neighbour } from '@bulkhead/sandbox';
import type { FoundPrograms } from '@bulkhead/tools';
import { isWithin } from '../paths/levels.ts';
import { findToolchains, needsOf } from '../toolchains/find-toolchains.ts';
import {
  type CheckedFolder,
  type CheckGround,
  checkFolder,
  type PlaceMeanings,
} from '../toolchains/folder-check.ts';
import { outermost } from '../toolchains/folders-of-program.ts';
import { followPath } from '../toolchains/follow-path.ts';
import { type OfferedToolchain, offerToolchains } from '../toolchains/offer-toolchains.ts';
import { programFolders } from '../toolchains/program-folders.ts';
import { toolchainEnvironment } from '../toolchains/toolchain-environment.ts';
import { guardBeside } from './guarded-beside.ts';
import type { ProtectedNames } from './shell-box.ts';

interface ToolParts {
  /** Bulkhead's own home. */
  readonly own: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly files: ProtectedNames;
}

/** Folders of programs that a command's box shows. */
export interface OpenedTools {
  readonly beside: readonly Neighbour[];
  readonly env: Readonly<Record<string, string>>;
  /** A clause for each folder that is not shown. */
  readonly remarks: readonly string[];
}

/** A folder of programs that a person can allow every command to run. */
export interface ToolchainOffer {
  /** Absolute, without links. */
  readonly place: string;
  /** Names of the programs, sorted. */
  readonly programs: readonly string[];
  /** The folders that commands would read, in order. */
  readonly folders: readonly ShownFolder[];
  /** Why it, or a program of it, is not offered: a clause each. */
  readonly problems: readonly string[];
}

/** Folders that one box shows; the launcher takes 16, and the repository around a folder is one. */
const MAX_SHOWN = 12;
/** In no folder of a home. */
const NO_FOLDER = '/proc';
const NONE: OpenedTools = { beside: [], env: {}, remarks: [] };

/** Large, and needed only where a program is missing or shown. */
const catalogue = (): Promise<PlaceMeanings> => import('@bulkhead/shield/analysis');

/** Programs of the person's home, which a command sees if the person allows it. */
export class ShownTools {
  readonly #parts: ToolParts;

  constructor(parts: ToolParts) {
    this.#parts = parts;
  }

  /** Looks for what a command did not find. @param allowed already, to this command */
  async lookFor(
    programs: readonly string[],
    workingFolder: string,
    allowed: readonly ShownFolder[],
  ): Promise<FoundPrograms> {
    const ground = this.#ground(workingFolder);
    if (programs.length === 0 || ground === undefined) return { needs: [], refused: [] };
    const { files, environment } = this.#parts;
    const path = environment['PATH'] ?? '';
    const meanings = await catalogue();
    const { folders, refused } = findToolchains(programs, { ...ground, path }, meanings);
    const shown = allowed.filter((one) => typeof asAllowed(one, ground, meanings) !== 'string');
    const fresh = folders.filter(({ path: one }) => shown.every((known) => !isWithin(one, known.path)));
    const { problems } = await guardBeside(fresh, workingFolder, files);
    const needs = problems.length === 0 ? needsOf(fresh) : [];
    return { needs, refused: [...refused, ...problems] };
  }

  /** All folders of programs in the person's home, for a choice before any command. */
  async offers(): Promise<readonly ToolchainOffer[]> {
    const ground = this.#ground();
    if (ground === undefined) return [];
    const path = this.#parts.environment['PATH'] ?? '';
    const found = offerToolchains({ ...ground, path }, await catalogue());
    return await Promise.all(found.map((one) => this.#guarded(one)));
  }

  async #guarded({ place, programs, folders, refused }: OfferedToolchain): Promise<ToolchainOffer> {
    const { problems } = await guardBeside(folders, NO_FOLDER, this.#parts.files);
    const kept = problems.length === 0 ? folders : [];
    const shown = kept.map(({ path, identity }) => ({ path, identity }));
    const programsShown = shown.length === 0 ? [] : programs;
    return { place, programs: programsShown, folders: shown, problems: [...refused, ...problems] };
  }

  /**
   * Checks allowed folders again: one that is another folder by now, or may no longer be shown, is
   * left out.
   *
   * @param root shown around the working folder
   */
  async open(allowed: readonly ShownFolder[], workingFolder: string, root?: string): Promise<OpenedTools> {
    const ground = allowed.length === 0 ? undefined : this.#ground(workingFolder);
    if (ground === undefined) return NONE;
    const meanings = await catalogue();
    const remarks: string[] = [];
    const checked = allowed.flatMap((one) => {
      if (root !== undefined && isWithin(one.path, root)) return [];
      const now = asAllowed(one, ground, meanings);
      if (typeof now !== 'string') return [now];
      remarks.push(`the toolchain folder ${one.path} is not shown: ${now}`);
      return [];
    });
    const outer = new Set(outermost(checked.map(({ path }) => path)));
    const beside = checked.filter(({ path }) => outer.has(path));
    if (beside.length > MAX_SHOWN) remarks.push(`only ${MAX_SHOWN} toolchain folders are shown`);
    const shown = beside.slice(0, MAX_SHOWN);
    return { beside: shown, env: this.#environment(shown, ground.home), remarks };
  }

  #environment(shown: readonly Neighbour[], home: string): OpenedTools['env'] {
    const programs = programFolders(this.#parts.environment['PATH'] ?? '', home);
    return toolchainEnvironment(
      shown.map(({ path }) => path),
      programs,
      home,
    );
  }

  #ground(workingFolder?: string) {
    const home = followPath(this.#parts.environment['HOME'] ?? '');
    // A home that is a folder of the system holds no toolchains of a person.
    if (home === undefined || !home.facts.isDirectory() || home.path === '/') return undefined;
    const own = followPath(this.#parts.own)?.path ?? this.#parts.own;
    return { home: home.path, own, ...(workingFolder === undefined ? {} : { workingFolder }) };
  }
}

/** An allowed folder as it is now; or why it is not shown, a clause. */
function asAllowed(
  { path, identity }: ShownFolder,
  ground: CheckGround,
  meanings: PlaceMeanings,
): CheckedFolder | string {
  const now = checkFolder(path, ground, meanings);
  if (typeof now === 'string') return `it ${now}`;
  return now.identity === identity ? now : 'it is another folder than the one that was allowed';
}
