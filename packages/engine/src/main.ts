import { fileURLToPath } from 'node:url';
import { systemMachineClock } from '@bulkhead/home/time/system-machine-clock';
import { BulkheadError, systemClock } from '@bulkhead/protocol';
import { startEngine } from './composition/start-engine.ts';
import { REPORT_DESCRIPTOR, StartReport } from './supervisor/report.ts';
import { RESTART_STATUS } from './supervisor/supervise.ts';

/**
 * Entry of the engine process. `engine.js serve [--isolated] [--insecure-no-sandbox]
 * [--restarted]`: the home in `BULKHEAD_HOME`, started by a supervisor whose end closes stdin.
 * `engine.js doctor`: checks this machine and home, and prints the report.
 */
const dist = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const home = process.env['BULKHEAD_HOME'] ?? '';
const environment = { ...process.env };

/** Time for running work to end after a stop request; the supervisor kills at 4.7 s. */
const DRAIN_MS = 2_500;
/** Longest time from the stop request to the end of the process, milliseconds [P8]. */
const END_MS = 4_600;

if (process.argv[2] === 'doctor') {
  const { examine } = await import('./doctor/examine.ts');
  process.stdout.write(
    `${JSON.stringify(await examine({ home, dist, nodePath: process.execPath, environment }))}\n`,
  );
  process.exit();
} else {
  await serve();
}

async function serve(): Promise<void> {
  const report = new StartReport(REPORT_DESCRIPTOR);
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let status: 0 | typeof RESTART_STATUS = RESTART_STATUS;
  // A stop request during the drain of a restart turns it into a stop.
  const stop = (wanted: typeof status): void => {
    if (wanted === 0) status = 0;
    resolve();
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  // The supervisor's log: a full disk must not end the engine because of its output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.stdin.on('end', () => stop(0));
  process.stdin.on('error', () => stop(0));
  process.stdin.resume();
  try {
    if (!home.startsWith('/'))
      throw new BulkheadError('usage', 'BULKHEAD_HOME must be an absolute path', {
        fix: 'Start the engine with `bulkhead start`, which makes it one.',
      });
    const engine = await startEngine({
      home,
      dist,
      nodePath: process.execPath,
      environment,
      isolated: process.argv.includes('--isolated'),
      insecureNoSandbox: process.argv.includes('--insecure-no-sandbox'),
      restarted: process.argv.includes('--restarted'),
      clock: systemClock,
      machine: systemMachineClock(),
      supervisorPid: process.ppid,
      keepKeys: (keys) => report.keys(keys),
      stop: (restart) => setImmediate(() => stop(restart ? RESTART_STATUS : 0)),
    });
    report.ready(process.pid, engine.httpAddress);
    await stopped;
    // No supervisor kills during a restart: even if work hangs, the next engine must start.
    setTimeout(() => process.exit(status), END_MS).unref();
    await engine.close(DRAIN_MS);
    process.exit(status);
  } catch (error) {
    const known = BulkheadError.from(error);
    report.failed(known.code, known.message, known.fix);
    process.stderr.write(`${known.code === 'internal' ? String(known.stack) : known.message}\n`);
    process.exit(1);
  }
}
