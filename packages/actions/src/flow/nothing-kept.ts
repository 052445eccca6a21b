import type { SessionFoldParts } from './session-fold.ts';

/** Off the record: no file changes, and nothing is kept. */
export const NOTHING_KEPT: SessionFoldParts['history'] = {
  toldUpTo: () => 0,
  tell: () => {},
  met: () => undefined,
  meet: () => {},
};
