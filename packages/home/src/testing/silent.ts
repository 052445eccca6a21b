import { pino } from 'pino';

/**
 * The parts of a context that a test without a home does not use: nothing is logged, and no disk
 * fails.
 */
export const silent = {
  logger: pino({ level: 'silent' }),
  storage: { report: () => false, refuseWork: () => {} },
};
