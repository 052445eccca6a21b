import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { SessionSpaces } from './box.ts';

/** Making two name spaces takes milliseconds; a launcher that hangs is ended. */
const PATIENCE_MS = 30_000;

/**
 * Makes the name spaces that the commands of a session share. The launcher that makes them ends
 * once they are held here, by descriptor.
 *
 * @throws BulkheadError `sandbox_unavailable` if they can't be made
 */
export async function keepSession(launcherPath: string): Promise<SessionSpaces & Disposable> {
  const keeper = spawn(launcherPath, ['keep', String(process.pid)], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const gone = once(keeper, 'close').catch(() => []);
  const said: Buffer[] = [];
  keeper.stderr.on('data', (bytes: Buffer) => said.push(bytes));
  keeper.stdin.on('error', () => {});
  try {
    await Promise.race([once(keeper.stdout, 'data'), gone]);
    // Until its exit is seen its number is its own: the entry is that of this process, or an error.
    if (keeper.pid === undefined || keeper.exitCode !== null || keeper.signalCode !== null)
      throw new Error('the launcher ended early');
    return hold(keeper.pid);
  } catch (cause) {
    const why = Buffer.concat(said).toString('utf8').trim() || describeError(cause);
    throw new BulkheadError('sandbox_unavailable', `the network of the session could not be made: ${why}`, {
      cause,
    });
  } finally {
    keeper.stdin.end();
    await gone;
  }
}

function hold(pid: number): SessionSpaces & Disposable {
  using stack = new DisposableStack();
  const open = (name: string): number => {
    const descriptor = openSync(`/proc/${pid}/ns/${name}`, 'r');
    stack.defer(() => closeSync(descriptor));
    return descriptor;
  };
  const [users, network] = [open('user'), open('net')];
  const held = stack.move();
  return { users, network, [Symbol.dispose]: () => held.dispose() };
}
