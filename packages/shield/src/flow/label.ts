import { SECRECY_LEVELS, type Secrecy } from '@bulkhead/protocol';
import { TRUST_LEVELS, type Trust } from '../annotations/flow-policy.ts';

/** How secret a value is, and how far it is the user's own word [F1]. */
export interface Label {
  readonly secrecy: Secrecy;
  readonly trust: Trust;
}

/** The initial label of a session: nothing has been read. */
export const CLEAN: Label = { secrecy: 'public', trust: 'user' };

/** Reads a stored label; undefined if it is invalid. */
export function readLabel(stored: { readonly secrecy: unknown; readonly trust: unknown }): Label | undefined {
  const secrecy = SECRECY_LEVELS.find((level) => level === stored.secrecy);
  const trust = TRUST_LEVELS.find((level) => level === stored.trust);
  return secrecy === undefined || trust === undefined ? undefined : { secrecy, trust };
}

/** The label of data made from both: the higher secrecy and the lower trust. */
export function joinLabels(a: Label, b: Label): Label {
  return {
    secrecy: isAtLeast(a.secrecy, b.secrecy) ? a.secrecy : b.secrecy,
    trust: TRUST_LEVELS.indexOf(a.trust) >= TRUST_LEVELS.indexOf(b.trust) ? a.trust : b.trust,
  };
}

/** True if `level` is as secret as `floor`, or more. */
export function isAtLeast(level: Secrecy, floor: Secrecy): boolean {
  return SECRECY_LEVELS.indexOf(level) >= SECRECY_LEVELS.indexOf(floor);
}
