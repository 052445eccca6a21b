export type { Access, Login, Proof } from './checks/proof.ts';
export type { DoorParts } from './door-parts.ts';
export { HttpDoor } from './http-door.ts';
export type { CallerBook } from './openai/caller-book.ts';
