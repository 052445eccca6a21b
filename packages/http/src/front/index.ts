export { CallRoom, type OpenCall } from './call-room.ts';
export type { KeptPort } from './choose-port.ts';
export { closeUnread } from './close-unread.ts';
export { type Door, type Front, type FrontFacts, serveFront } from './serve-front.ts';
