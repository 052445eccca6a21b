/** The thread of the index, which ends immediately on the first request to crash. For tests. */
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.on('message', (message: unknown) => {
  const done = `${workerData.path}.crashed`;
  if (!JSON.stringify(message).includes('please crash') || existsSync(done)) return;
  writeFileSync(done, '');
  process.exit(9);
});
await import('./main.ts');
