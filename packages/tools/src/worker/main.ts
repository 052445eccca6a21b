/**
 * The worker process: `node worker.mjs --token T --protocol N --root … `, its connection to the
 * engine inherited as fd 3. Exit codes: 0 the engine is gone, 2 usage, 1 anything else, with one
 * line on stderr.
 */
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { answerControl } from '@bulkhead/wire/self-probe';

try {
  const args = process.argv.slice(2);
  const control = await answerControl(args);
  if (control === undefined) {
    // A control needs none of this.
    const { runWorker } = await import('./run-worker.ts');
    process.exit(await runWorker(args));
  }
  process.stdout.write(control);
} catch (error) {
  process.stderr.write(`bulkhead worker: ${describeError(error)}\n`);
  process.exit(BulkheadError.is(error) && error.code === 'usage' ? 2 : 1);
}
