import { lstatSync } from 'node:fs';
import { DEFAULT_PROFILE } from '@bulkhead/home/config/profile-name';
import { makeFolder } from '@bulkhead/home/folder/make-folder';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type ProfilePlaces, profilePlaces } from './profile-places.ts';

/**
 * The places of the profile in use. Only the default one is created automatically: a mistyped name
 * must not become an agent without its guardrails.
 *
 * @throws BulkheadError `config_invalid` if there is no such profile, or a link in its place
 */
export function openProfile(layout: HomeLayout, name: string): ProfilePlaces {
  const places = profilePlaces(layout, name);
  if (
    name !== DEFAULT_PROFILE &&
    lstatSync(places.folder, { throwIfNoEntry: false })?.isDirectory() !== true
  ) {
    throw new BulkheadError('config_invalid', `profile: there is no profile "${name}" (${places.folder})`, {
      fix: `Make it (bulkhead profile create ${name}), or use another: bulkhead profile use ${DEFAULT_PROFILE}`,
    });
  }
  makeFolder(places.records);
  return places;
}
