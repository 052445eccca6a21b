/** The caller that all of the owner's ways in are, over the APIs of programs: no program may have this name. */
export const OWNER_CALLER = 'owner';
