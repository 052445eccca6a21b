import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { flushFolderSync, putFileSync } from '@bulkhead/files';
import { lockHome } from '@bulkhead/home/config/file/lock-home';
import { checkProfileName, DEFAULT_PROFILE, PROFILE_NAME } from '@bulkhead/home/config/profile-name';
import { makeFolder } from '@bulkhead/home/folder/make-folder';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { PROFILE_FILES } from './profile-files.ts';
import { profilePlaces } from './profile-places.ts';

/** A profile of a home. */
export interface ProfileSummary {
  readonly name: string;
  readonly folder: string;
  /** Texts of the prompt that it has. */
  readonly texts: readonly string[];
  /** Folders it has: memory, skills, templates, knowledge. */
  readonly folders: readonly string[];
}

/** Sorted, the default one first: it is there even before the first engine has made it. */
export function listProfiles(layout: HomeLayout): readonly ProfileSummary[] {
  const found = existsSync(layout.profiles) ? readdirSync(layout.profiles, { withFileTypes: true }) : [];
  const names = found
    .filter((entry) => entry.isDirectory() && PROFILE_NAME.test(entry.name) && entry.name !== DEFAULT_PROFILE)
    .map(({ name }) => name)
    .toSorted();
  return [DEFAULT_PROFILE, ...names].map((name) => summary(layout, name));
}

/** @throws BulkheadError `usage` for what can be no name; `not_found` */
export function readProfile(layout: HomeLayout, name: string): ProfileSummary {
  checkProfileName(name);
  const found = listProfiles(layout).find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw new BulkheadError('not_found', `there is no profile "${name}"`, {
    fix: `See \`bulkhead profile list\`, or make it: bulkhead profile create ${name}`,
  });
}

/**
 * Makes a profile, whole or not at all.
 *
 * @param from whose texts it begins with; its memory and skills stay its own. Undefined: with nothing
 * @returns its folder
 * @throws BulkheadError `usage` for a name that is taken or can be none; `not_found` for `from`
 */
export function createProfile(layout: HomeLayout, name: string, from: string | undefined): string {
  checkProfileName(name);
  using _lock = lockHome(layout);
  const origin = from === undefined ? undefined : readProfile(layout, from);
  const { folder } = profilePlaces(layout, name);
  if (name === DEFAULT_PROFILE || lstatSync(folder, { throwIfNoEntry: false }) !== undefined) {
    throw new BulkheadError('usage', `${folder} is there already`, { fix: 'Take another name.' });
  }
  makeFolder(layout.profiles);
  // A name that no profile can have.
  const fresh = `${layout.profiles}/.new-${name}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  for (const text of origin?.texts ?? []) {
    putFileSync(`${fresh}/${text}`, readFileSync(`${origin?.folder}/${text}`));
  }
  renameSync(fresh, folder);
  flushFolderSync(layout.profiles);
  return folder;
}

/**
 * Permanently deletes a profile with its memory and skills.
 *
 * @throws BulkheadError `usage` for the default one; `not_found`
 */
export function deleteProfile(layout: HomeLayout, name: string): void {
  if (name === DEFAULT_PROFILE) {
    throw new BulkheadError('usage', 'the default profile is not deleted', {
      fix: `Its files are in ${profilePlaces(layout, name).folder}.`,
    });
  }
  using _lock = lockHome(layout);
  readProfile(layout, name);
  const { folder, records } = profilePlaces(layout, name);
  // In one step gone; what is left of it after a crash has a name that no profile can have.
  const gone = `${layout.profiles}/.old-${name}`;
  rmSync(gone, { recursive: true, force: true });
  renameSync(folder, gone);
  flushFolderSync(layout.profiles);
  rmSync(records, { recursive: true, force: true });
  rmSync(gone, { recursive: true, force: true });
}

function summary(layout: HomeLayout, name: string): ProfileSummary {
  const { folder } = profilePlaces(layout, name);
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const named = (fits: (entry: Dirent) => boolean) =>
    entries
      .filter(fits)
      .map((entry) => entry.name)
      .toSorted();
  return {
    name,
    folder,
    // Memory is no text that another profile begins with.
    texts: named((entry) => entry.isFile() && PROFILE_FILES.some((file) => file.name === entry.name)),
    folders: named((entry) => entry.isDirectory() && !entry.name.startsWith('.')),
  };
}
