import type { HomeLayout } from '@bulkhead/protocol';

/** Where skills and what belongs to them lie in a home. */
export interface SkillPlaces {
  /** For all profiles. */
  readonly global: string;
  readonly profile: string;
  readonly templates: string;
  readonly knowledge: string;
  /** Which content of which skill a person confirmed; 0600. */
  readonly pins: string;
}

/** There is one profile yet. */
const PROFILE = 'default';

/** What of a working folder may hold skills and templates, once it is trusted. */
export const FOLDER_SKILLS = '.bulkhead/skills/';
export const FOLDER_TEMPLATES = '.bulkhead/templates/';

export function skillPlaces({ root, state }: Pick<HomeLayout, 'root' | 'state'>): SkillPlaces {
  const profile = `${root}/profiles/${PROFILE}`;
  return {
    global: `${root}/skills`,
    profile: `${profile}/skills`,
    templates: `${profile}/templates`,
    knowledge: `${profile}/knowledge`,
    pins: `${state}/skills.json`,
  };
}
