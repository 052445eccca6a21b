import { pino } from 'pino';

/** The parts of a context that a test without a home has no use for: nothing is logged, and no disk fails. */
export const silent = {
  logger: pino({ level: 'silent' }),
  storage: { report: () => false, refuseWork: () => {} },
};
