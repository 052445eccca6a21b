/*
 * Undoes actions and dies at one step: rollback.child FOLDER STEP ID …, STEP from 1. Exits with 0
 * if it completes.
 */
import { flushCompileCache } from 'node:module';
import { Chronicle } from '../chronicle.ts';
import type { ChronicleStep } from '../chronicle-step.ts';
import { Rollbacks } from './rollbacks.ts';

// A killed process saves nothing that it compiled; the next one starts from this.
flushCompileCache();
const [folder = '', step = '', ...undoes] = process.argv.slice(2);
let passed = 0;
const onStep = (_step: ChronicleStep): void => {
  passed += 1;
  if (passed === Number(step)) process.kill(process.pid, 'SIGKILL');
};
const chronicle = Chronicle.open({
  folder,
  retention: { snapshots: 100, days: 30, maxBytes: 1e12 },
  now: () => 1_700_000_000_000,
  confirmed: () => 0,
  onStep,
});
const rollbacks = new Rollbacks({ chronicle, journals: `${folder}/rollbacks`, onStep });
await rollbacks.run({ id: 'UNDO', undoes, skipConflicts: false, dryRun: false });
