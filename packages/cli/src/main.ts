import { BulkheadError, createIdSource, systemClock } from '@bulkhead/protocol';
import { dispatch } from './dispatch.ts';
import type { Environment } from './environment.ts';
import { EXIT } from './exit-code.ts';

process.on('uncaughtException', (error) => {
  process.stderr.write(`bulkhead: ${error.message}\n`);
  process.exit(EXIT.failed);
});

const environment = processEnvironment({
  supervisor: new URL('./supervisor.js', import.meta.url),
  engine: new URL('./engine.js', import.meta.url),
  acp: new URL('./acp.js', import.meta.url),
});

const code = await dispatch(process.argv.slice(2), environment);
await Promise.all([process.stdout, process.stderr].map(written));
process.exit(code);

/** A pipe takes 64 KiB at once: a process that ends earlier loses the rest. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}

/** The real process. @param entries bundles beside this one */
function processEnvironment(entries: Environment['entries']): Environment {
  return {
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    newId: createIdSource(systemClock.now),
    onInterrupt,
    ownsTerminal: true,
    entries,
  };
}

/** @throws BulkheadError `usage` if it was deleted: then no relative path has a meaning */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new BulkheadError('usage', 'the current folder does not exist any more', {
      fix: 'Go to another folder with `cd` first.',
      cause,
    });
  }
}

function onInterrupt(listener: () => void): Disposable {
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    [Symbol.dispose]() {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    },
  };
}
