/*
 * Functions of the CLI for checking this machine without an engine. Apart from the client's own
 * entry point, as `config` is: it includes a parser.
 */

export { removeDamagedCopy } from '@bulkhead/home/folder/damaged-copies';
export type { Check, CheckState } from '../doctor/check.ts';
export { runDoctor } from '../doctor/run-doctor.ts';
export { runningEngineCheck } from '../doctor/running-engine.ts';
