import type { Row } from './row.ts';
import { clocks } from './rows/clocks.ts';
import { foreignLock, fullDisk, readOnlyStart, vanishedHome } from './rows/disk.ts';
import { hugeAnswer, manyMessages } from './rows/load.ts';
import { damagedLog, doctor } from './rows/logs.ts';
import { edits, kills, orderlyEnds } from './rows/plain.ts';
import { powerAtFirstStart, powerLoss } from './rows/power.ts';

/** The table of faults, in its order. */
export const ROWS: readonly Row[] = [
  powerLoss,
  powerAtFirstStart,
  fullDisk,
  damagedLog,
  edits,
  clocks,
  hugeAnswer,
  manyMessages,
  orderlyEnds,
  doctor,
  readOnlyStart,
  vanishedHome,
  foreignLock,
  kills,
];
