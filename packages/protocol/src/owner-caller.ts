/**
 * The one caller for all of the owner's ways in, over the APIs of programs: no program may have
 * this name.
 */
export const OWNER_CALLER = 'owner';

/**
 * Header of a call within the engine's process: the id of the caller on whose behalf the HTTP door
 * makes it.
 */
export const CALLER_HEADER = 'bulkhead-caller';
