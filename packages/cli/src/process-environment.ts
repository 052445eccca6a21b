import { BulkheadError, createIdSource, systemClock } from '@bulkhead/protocol';
import type { Environment } from './environment.ts';

/** The real process. @param entries bundles beside this one */
export function processEnvironment(entries: Environment['entries']): Environment {
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
