/** The caller that all of the owner's ways in are, over the APIs of programs: no program may have this name. */
export const OWNER_CALLER = 'owner';

/** Header of a call within the engine's process: the id of the caller that the HTTP door makes it for. */
export const CALLER_HEADER = 'bulkhead-caller';
