import { OWNER_CALLER } from '@bulkhead/protocol';
import type { Proof } from '../checks/proof.ts';

/** Who asks, as sessions are theirs: all of the owner's ways in are one, each program is another. */
export interface Caller {
  readonly id: string;
  readonly isOwner: boolean;
  /** Of a program; for its folder. */
  readonly name: string;
}

export function callerOf({ id, kind, name }: Proof): Caller {
  if (kind === 'program') return { id, isOwner: false, name };
  return { id: OWNER_CALLER, isOwner: true, name: OWNER_CALLER };
}
