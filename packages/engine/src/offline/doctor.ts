/*
 * What the CLI needs to check this machine where no engine runs. Apart from the client's own door, as `config` is: it brings a
 * parser along.
 */

export { removeDamagedCopy } from '@bulkhead/home/folder/damaged-copies';
export type { Check, CheckState } from '../doctor/check.ts';
export { runDoctor } from '../doctor/run-doctor.ts';
export { runningEngineCheck } from '../doctor/running-engine.ts';
