import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@bulkhead/protocol';
import { REPORT_DESCRIPTOR, StartReport } from './report.ts';
import { supervise } from './supervise.ts';

/**
 * V8 arguments for the engine: space for new objects grows to 4 MB instead of 16, which are never
 * returned. It costs a tenth of its CPU with 64 working sessions, and nothing measurable with one.
 */
const ENGINE_ARGUMENTS: readonly string[] = ['--max-semi-space-size=4'];

/**
 * Memory settings in the engine's environment: all threads share one heap of the C library. With
 * separate heaps, freed memory stays with each thread. The user's own value has priority. Boxed
 * processes don't receive it.
 */
const ENGINE_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };

/** Entry of the supervisor process: `supervisor.js [--isolated] [--insecure-no-sandbox]`, the home in `BULKHEAD_HOME`. */
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

// Its log lies on a disk that may be full, or has a reader that left: no output may end it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const isolated = process.argv.includes('--isolated');
if (isolated) {
  // Only its starter needs a private engine: it ends with the starter.
  process.stdin.resume();
  process.stdin.on('end', () => stop.abort());
  process.stdin.on('error', () => stop.abort());
}

// A restarted engine gets the options of the first one.
const passedOn = ['--isolated', '--insecure-no-sandbox'].filter((flag) => process.argv.includes(flag));
const { NODE_OPTIONS: _dropped, ...environment } = process.env;
const engine = fileURLToPath(new URL('./engine.js', import.meta.url));
process.exitCode = await supervise({
  spawn: (keys, restarted) =>
    spawn(
      process.execPath,
      [...ENGINE_ARGUMENTS, engine, 'serve', ...passedOn, ...(restarted ? ['--restarted'] : [])],
      {
        env: { ...ENGINE_ENVIRONMENT, ...environment, ...keys },
        stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
      },
    ),
  report: new StartReport(REPORT_DESCRIPTOR),
  clock: systemClock,
  stop: stop.signal,
  log: (line) => process.stderr.write(`${new Date().toISOString()} supervisor: ${line}\n`),
});
process.exit();
