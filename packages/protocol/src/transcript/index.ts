export { branchEvents } from './branch-events.ts';
export { type EventHeader, parseEvent, parseEventHeader } from './parse-event.ts';
