import type { ShownFolder } from '@bulkhead/protocol';
import { closedPlaces } from '../paths/closed-places.ts';
import type { PlaceMeanings } from '../toolchains/folder-check.ts';
import { followPath } from '../toolchains/follow-path.ts';
import { type OfferedToolchain, offerToolchains } from '../toolchains/offer-toolchains.ts';
import { guardBeside } from './guarded-beside.ts';
import type { BesideParts } from './shown-beside.ts';

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

/** In no folder of a home. */
const NO_FOLDER = '/proc';

/** All folders of programs in the person's home, for a choice before any command. */
export async function toolchainOffers(parts: BesideParts): Promise<readonly ToolchainOffer[]> {
  const { own, environment, files } = parts;
  const home = followPath(environment['HOME'] ?? '');
  if (home === undefined || !home.facts.isDirectory() || home.path === '/') return [];
  const closed = closedPlaces(own, environment['HOME']);
  const ground = { home: home.path, own: closed.own, path: environment['PATH'] ?? '' };
  const meanings: PlaceMeanings = await import('@bulkhead/shield/analysis');
  return await Promise.all(offerToolchains(ground, meanings).map((one) => guarded(one, files)));
}

async function guarded(
  { place, programs, folders, refused }: OfferedToolchain,
  files: BesideParts['files'],
): Promise<ToolchainOffer> {
  const programsOnly = folders.map((folder) => ({ ...folder, isOfPrograms: true }));
  const { problems } = await guardBeside(programsOnly, NO_FOLDER, [], files);
  const shown = problems.length === 0 ? folders.map(({ path, identity }) => ({ path, identity })) : [];
  return {
    place,
    programs: shown.length === 0 ? [] : programs,
    folders: shown,
    problems: [...refused, ...problems],
  };
}
