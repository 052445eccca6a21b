import { createIdSource, systemClock } from '@bulkhead/protocol';
import type { Environment } from './environment.ts';

/** The real process. @param entries bundles beside this one */
export function processEnvironment(entries: Environment['entries']): Environment {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    newId: createIdSource(systemClock.now),
    onInterrupt,
    entries,
  };
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
