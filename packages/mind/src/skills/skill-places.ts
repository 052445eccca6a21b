import { DEFAULT_PROFILE } from '@bulkhead/home/config/profile-name';
import type { HomeLayout } from '@bulkhead/protocol';
import { profilePlaces } from '../profile/profile-places.ts';

/** Where skills and what belongs to them lie in a home. */
export interface SkillPlaces {
  /** For all profiles. */
  readonly global: string;
  readonly profile: string;
  readonly templates: string;
  readonly knowledge: string;
  /** Which content of which skill a person confirmed; 0600. One file for those of all profiles, one for those of this. */
  readonly pins: { readonly global: string; readonly profile: string };
}

/** Skills and templates of a working folder, once it is trusted. */
export const FOLDER_SKILLS = '.bulkhead/skills/';
export const FOLDER_TEMPLATES = '.bulkhead/templates/';

export function skillPlaces(
  layout: Pick<HomeLayout, 'root' | 'state'>,
  profileName: string = DEFAULT_PROFILE,
): SkillPlaces {
  const { root, state } = layout;
  const { folder: profile, records } = profilePlaces(layout, profileName);
  return {
    global: `${root}/skills`,
    profile: `${profile}/skills`,
    templates: `${profile}/templates`,
    knowledge: `${profile}/knowledge`,
    pins: { global: `${state}/skills.json`, profile: `${records}/skills.json` },
  };
}
