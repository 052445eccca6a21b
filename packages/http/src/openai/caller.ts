import { OWNER_ID } from '@bulkhead/protocol';
import type { Proof } from '../checks/proof.ts';

/** The owner of sessions: all of the owner's ways in are one caller, each program is another. */
export interface Caller {
  readonly id: string;
  readonly isOwner: boolean;
  /** Name of a program; used for its folder. */
  readonly name: string;
}

export function callerOf({ id, kind, name }: Proof): Caller {
  if (kind === 'program') return { id, isOwner: false, name };
  return { id: OWNER_ID, isOwner: true, name: OWNER_ID };
}
