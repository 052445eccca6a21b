/** Notes in a session's log of what a person decided about information flow: the fold reads them in their place. */
export const DECLASSIFIED = 'flow_declassified';
export const TRUSTED = 'flow_trusted';
